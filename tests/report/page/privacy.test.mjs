// The promise of a run under differential privacy, what it cost and what it does not cover.
import assert from 'node:assert/strict';
import {after, before, describe, test} from 'node:test';

import {done, fixture, launch, lastWords, open, picture, writePage} from './pages.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const promise = {
  epsilon: 1,
  delta: 1e-6,
  clip: 2.5,
  relation: 'replace one sample',
  rho: 0.02,
  releases: [
    {what: 'sums of samples', sensitivity: 5, sigma: 55.9, rho: 0.004},
    {what: 'sums of features', sensitivity: 2.121, sigma: 11.86, rho: 0.016},
  ],
  left_out: ['captured variance', 'claimed similarity'],
  not_covered: ['timing, memory, and the number and sizes of messages are not covered'],
};

// A run of today without what differential privacy leaves out, and with its promise.
function privateRun() {
  const document = fixture('landmarks');
  for (const key of ['assessment', 'embedded_samples']) delete document.result[key];
  const by_kind = {masked: {messages: 19, bytes: 8e6}, totals: {messages: 19, bytes: 4e5}, control: {messages: 38, bytes: 2500}};
  const sent_by_kind = Object.fromEntries(
    Object.entries(by_kind).map(([kind, {bytes}]) => [kind, Array(20).fill(bytes / 20)]),
  );
  const ledger = {messages: 76, bytes: 8402500, by_kind};
  return {...document, metrics: [], result: {...document.result, quality: {}, ledger, sent_by_kind, privacy: promise}};
}

const words = async (page, selector) => (await page.locator(selector).textContent()).replaceAll(/\s+/g, ' ');

describe('differential privacy', () => {
  test('is in the summary and has a panel', async () => {
    const {page, complaints, requests} = await open(browser, writePage('privacy', privateRun()));
    assert.match(await words(page, '#summary'), /Epsilon 1, delta 1e-6 for each sample/);
    const panel = await words(page, '#privacy');
    for (const said of ['at most 2.718 times as likely', 'replace one sample', '2.5', 'Captured variance.', 'Timing, memory']) {
      assert.ok(panel.includes(said), `${said} in ${panel}`);
    }
    const rows = await page.locator('#privacy tbody tr').evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent.replace('\u00a0', ' '))),
    );
    assert.deepEqual(rows, [
      ['sums of samples', '5', '55.9', '0.004', '20.0 %'],
      ['sums of features', '2.121', '11.86', '0.016', '80.0 %'],
    ]);
    assert.deepEqual([complaints, requests], [[], []]);
    await picture(page, 'privacy-light');
    await page.emulateMedia({colorScheme: 'dark'});
    await page.locator('html[data-theme=dark]').waitFor();
    await picture(page, 'privacy-dark');
    await done(page);
  });

  test('makes totals noisy wherever they are named', async () => {
    const {page} = await open(browser, writePage('privacy-totals', privateRun()));
    assert.match(await words(page, '#summary'), /noisy totals \(/);
    assert.match(await words(page, '#sent .statement'), /Noisy totals, .* with the noise of differential privacy/);
    assert.doesNotMatch(await words(page, '#sent'), /give samples away/);
    await done(page);
  });

  test('is not there without a promise', async () => {
    const document = privateRun();
    document.result.privacy = {epsilon: null};
    const {page} = await open(browser, writePage('privacy-none', document));
    assert.equal(await page.locator('#privacy').count(), 0);
    assert.doesNotMatch(await lastWords(page, '#summary'), /noisy|differential/);
  });

  test('fits a phone', async () => {
    const {page} = await open(browser, writePage('privacy-phone', privateRun()), {viewport: {width: 360, height: 740}});
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    await picture(page, 'privacy-phone');
    await done(page);
  });
});
