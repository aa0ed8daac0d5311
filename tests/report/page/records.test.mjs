// What nodes recorded along the way: what the charts' tables say, against the lines they are made of.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';

import {done, fixture, launch, open, picture, writePage} from './pages.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const show = (name, document) => open(browser, writePage(name, document));

// Rows of the table behind the chart of one metric: [[x, mean, smallest, largest, nodes], ...]
async function tableOf(page, caption) {
  const figure = page.locator('#convergence figure', {has: page.locator('figcaption', {hasText: caption})});
  await figure.locator('summary').click();
  await figure.locator('tbody').waitFor();
  const along = await figure.locator('thead th').first().textContent();
  const rows = await figure
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map(({textContent}) => Number(textContent))));
  return {along, rows};
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const close = (a, b) => Math.abs(a - b) <= 1e-3 * Math.max(Math.abs(b), 1e-9);

test('rounds after the end of a stream are rounds', async () => {
  const document = fixture('online-kernel');
  const own = document.metrics.filter(({node}) => node === 0);
  assert.ok(own.length > new Set(own.map(({samples}) => samples)).size, 'the last rounds are exchanges only');
  const {page, complaints} = await show('stream-ends', document);
  const {along, rows} = await tableOf(page, /^Disagreement/);
  assert.equal(along, 'round');
  const rounds = [...new Set(document.metrics.map(({round}) => round))].sort((a, b) => a - b);
  assert.deepEqual(
    rows.map(([round]) => round),
    rounds,
  );
  for (const [round, shown, low, high] of rows) {
    const values = document.metrics.filter((line) => line.round === round).map(({disagreement}) => disagreement);
    assert.ok(close(shown, mean(values)), `round ${round}: ${shown}, not ${mean(values)}`);
    assert.ok(close(low, Math.min(...values)) && close(high, Math.max(...values)), `round ${round}`);
  }
  assert.deepEqual(complaints, []);
  await done(page);
});

test('a stream that has ended altogether still has lines', async () => {
  const document = fixture('online-kernel');
  document.metrics = document.metrics.map((line) => ({...line, samples: 800}));
  const {page} = await show('stream-ended', document);
  const widths = await page
    .locator('#convergence .chart')
    .evaluateAll((charts) =>
      charts.map((chart) =>
        Math.max(...[...chart.querySelectorAll('path[stroke-width="2.6"]')].map((line) => line.getBBox().width)),
      ),
    );
  assert.equal(widths.length, 5);
  for (const width of widths) assert.ok(width > 100, `lines go from left to right: ${widths}`);
  await picture(page, 'stream-ended');
  await done(page);
});

const note = (page) => page.locator('#convergence > .panel > .note').textContent();

test('lines that the page does not have are said to be missing', async () => {
  const document = fixture('consensus-kpca');
  document.metrics_shown = {lines: 19_876, of: 40_000};
  const {page} = await show('thinned', document);
  assert.match(await note(page), /^The page has 19,876 of 40,000 recorded lines/);
  await done(page);
  const runs = [
    {name: 'long', ...document},
    {name: 'short', ...fixture('consensus-kpca')},
  ];
  const {page: both} = await show('thinned-comparison', {runs});
  assert.match(
    await both.locator('#on-the-way > .panel > .note').textContent(),
    /^long: The page has 19,876 of 40,000/,
  );
  await done(both);
  const {page: whole} = await show('not-thinned', fixture('consensus-kpca'));
  assert.equal(await whole.locator('#convergence > .panel > .note').count(), 0);
  await done(whole);
});

test('a line that was not written to its end is said to be missing', async () => {
  const document = {...fixture('consensus-kpca'), metrics_cut: true};
  const words = /The last line of metrics\.jsonl is incomplete and was left out/;
  const {page} = await show('cut', document);
  assert.match(await page.locator('#summary .notes').textContent(), words);
  await done(page);
  const {page: both} = await show('cut-comparison', {
    runs: [
      {name: 'cut', ...document},
      {name: 'whole', ...fixture('consensus-kpca')},
    ],
  });
  const said = await both.locator('#in-words article').allTextContents();
  assert.deepEqual(
    said.map((article) => words.test(article)),
    [true, false],
  );
  await done(both);
});
