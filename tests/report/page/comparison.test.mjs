// Runs side by side: that the page's parts agree with each other, and with what the program leaves in the document.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {after, before, test} from 'node:test';

import {fixture, launch, open, picture, writePage} from './pages.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const show = (name, runs) => open(browser, writePage(name, {runs}));

async function opened(page) {
  for (const summary of await page.locator('summary').all()) await summary.click();
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.figures')].every((details) => details.querySelector('tbody')),
  );
  return page;
}

const bytesIn = (words) => {
  const [, number, unit] = words.match(/([\d.,]+) (\w+)$/);
  return Number(number.replaceAll(',', '')) * 1024 ** ['B', 'KiB', 'MiB', 'GiB'].indexOf(unit);
};

test('runs side by side', async () => {
  const names = ['consensus-kpca', 'landmarks', 'local-kpca', 'gossip-pca'];
  const {page, complaints, requests} = await show(
    'comparison',
    names.map((name) => ({name: `the ${name} run`, ...fixture(name)})),
  );
  assert.deepEqual(await page.locator('main > section').evaluateAll((all) => all.map(({id}) => id)), [
    'options',
    'side-by-side',
    'qualities',
    'on-the-way',
    'traffic',
    'in-words',
  ]);
  assert.deepEqual(await page.locator('#side-by-side thead th').allTextContents(), [
    '',
    ...names.map((name) => `the ${name} run`),
  ]);
  const raw = await page.locator('#side-by-side tr', {hasText: 'raw samples sent'}).locator('td').allTextContents();
  assert.deepEqual(raw, ['47.9 MiB', '0 B', '0 B', '0 B']);
  assert.deepEqual([complaints, requests], [[], []]);
  await picture(page, 'comparison-light');
  await page.context().close();
});

test('what a node sent is the same in the table and in the chart', async () => {
  const names = ['federated-kmeans', 'consensus-kpca'];
  const {page} = await show(
    'comparison-sent',
    names.map((name) => ({name, ...fixture(name)})),
  );
  await opened(page);
  const inTable = await page.locator('#side-by-side tr', {hasText: 'sent per node'}).locator('td').allTextContents();
  const {sent_by_devices: devices, nodes} = fixture('federated-kmeans').result;
  const exact = Object.values(devices).reduce((sum, {bytes}) => sum + bytes, 0) / nodes;
  assert.ok(Math.abs(bytesIn(inTable[0]) - exact) < 0.01 * exact, `${inTable[0]} for ${exact}`);
  const label = await page.locator('#traffic .chart').getAttribute('aria-label');
  assert.ok(label.endsWith(`: federated-kmeans ${inTable[0]}, consensus-kpca ${inTable[1]}`), label);
  const rows = await page
    .locator('#traffic tbody tr')
    .evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map(({textContent}) => textContent)));
  for (const [place, kinds] of rows.entries()) {
    const sum = kinds.map(bytesIn).reduce((a, b) => a + b);
    assert.ok(Math.abs(sum - bytesIn(inTable[place])) < 0.02 * sum, `${names[place]}: ${kinds} for ${inTable[place]}`);
  }
  assert.match(await page.locator('#traffic .note').textContent(), /server/);
  await page.context().close();
});

test('names of thirty letters are read whole', async () => {
  const names = ['digits-samples-gamma-0.02-run1', 'digits-samples-gamma-0.02-run2'];
  const {page} = await show(
    'comparison-names',
    names.map((name) => ({name, ...fixture('consensus-kpca')})),
  );
  const words = await page.locator('#traffic .chart svg text').allTextContents();
  for (const name of names) assert.ok(words.includes(name), `${name} in ${words}`);
  await picture(page, 'comparison-names');
  await page.context().close();
});

// What the program keeps of a result is a list in C++; a key that this page reads and that is not in it would be missed here.
test('the page reads nothing that the program leaves out', async () => {
  const source = readFileSync(new URL('../../../choir/report/run_document.cpp', import.meta.url), 'utf8');
  const list = (name) =>
    [...source.match(new RegExp(`${name}\\[\\] = \\{([^}]*)\\}`))[1].matchAll(/"(\w+)"/g)].map(([, key]) => key);
  const [kept, means] = [list('compared'), list('compared_by_mean')];
  const pruned = ({result, metrics}) => {
    const few = Object.fromEntries(Object.entries(result).filter(([key]) => kept.includes(key)));
    for (const name of means) delete few.quality?.per_node?.[name];
    return {result: few, metrics};
  };
  const names = [
    'consensus-kpca',
    'landmarks',
    'gossip-pca',
    'oneshot-kpca',
    'online-kernel',
    'federated-kmeans',
    'local-kpca',
  ];
  const said = [];
  for (const make of [(document) => document, pruned]) {
    const runs = names.map((name) => ({name, ...make(fixture(name))}));
    const {page} = await show('comparison-pruned', runs);
    await opened(page);
    said.push(await page.locator('main').evaluate((main) => main.innerHTML.replaceAll(/(zr|ec)[\w-]*\d+/g, '')));
    await page.context().close();
  }
  assert.equal(said[1], said[0]);
});
