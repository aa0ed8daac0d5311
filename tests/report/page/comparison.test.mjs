// Runs side by side: that the page's parts agree with each other, and with what the program leaves in the document.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {after, before, test} from 'node:test';

import {clustersByLabel, done, fixture, lastWords, launch, open, picture, writePage} from './pages.mjs';

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
  await done(page);
});

// Three runs of one method that differ in two options, one of which did not converge.
function threeRuns() {
  const changes = [{}, {gamma: '3e-07', rho: "'auto'"}, {gamma: '4e-07', out: "'elsewhere'"}];
  const runs = changes.map((options, place) => {
    const document = fixture('consensus-kpca');
    Object.assign(document.result.options, options);
    Object.assign(document.result.resolved, {gamma: document.result.options.gamma, rho: `${11.25 + place}`});
    return {name: `run-${'abc'[place]}`, ...document};
  });
  runs[1].result.converged = false;
  runs[2].result.ledger.by_kind.raw_samples = {messages: 0, bytes: 0};
  return runs;
}

const rowsOf = (locator) =>
  locator.evaluateAll((all) => all.map((row) => [...row.children].map(({textContent}) => textContent)));

test('options that differ come first, and equal ones are folded away', async () => {
  const runs = threeRuns();
  const {page, complaints} = await show('comparison-three', runs);
  assert.equal(await page.title(), 'run-a, run-b and run-c – choir');
  assert.equal(await page.locator('main > section').first().getAttribute('id'), 'options');
  assert.deepEqual(await rowsOf(page.locator('#options table').first().locator('tr')), [
    ['option', 'run-a', 'run-b', 'run-c'],
    ['gamma', '2e-07', '3e-07', '4e-07'],
    ['rho', 'auto (11.25)', 'auto (12.25)', 'auto (13.25)'],
  ]);
  const equal = Object.keys(runs[0].result.options).length - 2 - 3; // without out, report and watch
  const summary = page.locator('#options summary');
  assert.deepEqual(await summary.allTextContents(), [`${equal} options are equal in all runs`]);
  await summary.click();
  await page.locator('#options details tbody').waitFor();
  assert.equal(await page.locator('#options details tbody tr').count(), equal);
  assert.deepEqual(complaints, []);
  await picture(page, 'comparison-three');
  await done(page);
});

test('options that only some methods have are apart', async () => {
  const {page} = await show(
    'comparison-methods',
    ['consensus-kpca', 'local-kpca'].map((name) => ({name, ...fixture(name)})),
  );
  const rows = await rowsOf(page.locator('#options table').first().locator('tbody tr'));
  assert.deepEqual(rows[0], ['method', 'consensus-kpca', 'local-kpca']);
  assert.ok(rows.some(([name]) => name === 'n-components') && !rows.some(([name]) => name === 'share'));
  const summaries = await page.locator('#options summary').allTextContents();
  assert.match(summaries[1], /^\d+ options exist only in some of the runs$/);
  await done(page);
  const same = ['one', 'two'].map((name) => ({name, ...fixture('local-kpca')}));
  const {page: equal} = await show('comparison-equal', same);
  assert.equal(await lastWords(equal, '#options p'), 'All options that the runs have in common are equal.');
});

test('a run that did not converge is as visible as raw samples', async () => {
  const {page} = await show('comparison-three', threeRuns());
  assert.deepEqual(await page.locator('#side-by-side .statement p').allTextContents(), [
    'Not converged, so the figures are those of an unfinished run: run-b.',
    'Raw samples left their nodes: run-a and run-b.',
  ]);
  const looks = async (name) =>
    page
      .locator('#side-by-side tr', {has: page.locator(`th:text-is("${name}")`)})
      .locator('td')
      .evaluateAll((all) => all.map(({className}) => className));
  assert.deepEqual(await looks('converged'), ['', 'warns', '']);
  assert.deepEqual(await looks('raw samples sent'), ['warns', 'warns', '']);
  const said = await page
    .locator('#in-words article')
    .evaluateAll((all) => all.map((run) => [...run.querySelectorAll('.warns')].map(({textContent}) => textContent)));
  assert.deepEqual(
    said.map((words) => words.filter((sentence) => sentence.startsWith('Not converged')).length),
    [0, 1, 0],
  );
  await done(page);
});

test('confusion matrices stand side by side', async () => {
  const many = Array.from({length: 20}, (_, place) => place);
  const large = {...clustersByLabel, rows: many, columns: many, counts: many.map((row) => many.map((c) => row * c))};
  const runs = [clustersByLabel, undefined, large].map((confusion, place) => {
    const document = fixture('federated-kmeans');
    document.result.confusion = confusion;
    return {name: `run ${place}`, ...document};
  });
  const {page, complaints} = await show('comparison-confusion', runs);
  assert.deepEqual(await page.locator('#confusions figcaption').allTextContents(), ['run 0', 'run 2']);
  assert.equal(await page.locator('#confusions .small').count(), 2);
  assert.equal(await page.locator('#confusions figure').first().locator('td .unseen').count(), 0);
  assert.equal(await page.locator('#confusions figure').last().locator('td .unseen').count(), 400);
  assert.deepEqual(complaints, []);
  await picture(page, 'comparison-confusion');
  await done(page);
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
  await done(page);
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
  await done(page);
});

// What the program keeps of a result is a list in C++; a key that this page reads and that is not in it would be missed here.
test('the page reads nothing that the program leaves out', async () => {
  const source = readFileSync(new URL('../../../choir/report/run_document.cpp', import.meta.url), 'utf8');
  const list = (name) =>
    [...source.match(new RegExp(`${name}\\[\\] = \\{([^}]*)\\}`))[1].matchAll(/"(\w+)"/g)].map(([, key]) => key);
  const [kept, means] = [list('compared'), list('compared_by_mean')];
  const withAll = (document) => {
    document.result.confusion = clustersByLabel;
    document.result.assessment = {claimed_similarity: [0.99, 0.5], captured_share: 0.9, weaknesses: ['it is weak']};
    return document;
  };
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
    'central-kpca',
  ];
  const said = [];
  for (const make of [(document) => document, pruned]) {
    const runs = names.map((name) => ({name, ...make(withAll(fixture(name)))}));
    const {page} = await show('comparison-pruned', runs);
    await opened(page);
    said.push(await page.locator('main').evaluate((main) => main.innerHTML.replaceAll(/(zr|ec)[\w-]*\d+/g, '')));
    await done(page);
  }
  assert.equal(said[1], said[0]);
  assert.match(said[1], /Weak by its own account:/);
});
