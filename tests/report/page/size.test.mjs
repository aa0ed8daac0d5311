// How large the page is, how soon it is there, and ten thousand nodes.
import assert from 'node:assert/strict';
import {statSync} from 'node:fs';
import {after, before, test} from 'node:test';

import {fixture, launch, open, output, picture, template, writePage} from './pages.mjs';

const MB = 1_000_000;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const firstPaint = (page) => page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);

// Without Math.random: a test that fails can be repeated.
const wave = (node, step) => 0.5 + 0.5 * Math.sin(12.9898 * node + 78.233 * step);

function manyNodes(nodes, recorded, iterations) {
  const each = (value) => Array.from({length: nodes}, (_, node) => value(node));
  const metrics = [];
  for (let place = 0; place < recorded; ++place) {
    const node = Math.floor((place * nodes) / recorded);
    for (let iteration = 1; iteration <= iterations; ++iteration) {
      metrics.push({
        node,
        iteration,
        change: 0.3 * 0.9 ** iteration * (0.5 + wave(node, iteration)),
        gap: 0.5 * 0.93 ** iteration * (0.5 + wave(iteration, node)),
      });
    }
  }
  const similarity = each((node) => [
    Number((0.95 + 0.04 * wave(node, 1)).toFixed(4)),
    Number((0.9 + 0.05 * wave(node, 2)).toFixed(4)),
  ]);
  const result = {
    choir: '0.1.0',
    method: 'consensus-kpca',
    engine: 'sim',
    random_state: 0,
    nodes,
    samples: 100 * nodes,
    features: 784,
    n_components: 2,
    converged: true,
    iterations,
    eigenvalues: [81, 66],
    explained_variance_ratio: [0.054, 0.044],
    use: 'neighborhood',
    quality: {similarity_neighborhood: [0.97, 0.925], per_node: {similarity_neighborhood: similarity}},
    ledger: {
      messages: 40 * nodes,
      bytes: 2.2e6 * nodes,
      by_kind: {
        raw_samples: {messages: 4 * nodes, bytes: 2e6 * nodes},
        coefficients: {messages: 36 * nodes, bytes: 2e5 * nodes},
      },
    },
    sent_by_kind: {
      raw_samples: each(() => 2_000_000),
      coefficients: each((node) => Math.round(150_000 + 100_000 * wave(node, 3))),
    },
    time: {setup_s: 60, iterate_s: 40, total_s: 100},
    memory_peak_bytes: 15e9,
    notes: [],
    lost_peers: [],
    crashed: [],
  };
  return {result, metrics};
}

async function usable(name, document) {
  const file = writePage(name, document);
  assert.ok(statSync(file).size < 10 * MB, `${statSync(file).size} bytes`);
  const began = Date.now();
  const {page, complaints, requests} = await open(browser, file);
  const opened = Date.now() - began;
  assert.ok(opened < 15_000, `drawn after ${opened} ms`);
  const said = await page.locator('#network .note').textContent();
  assert.match(said, /^Aggregated: 10,000 nodes are shown as \d+ groups/);
  const moved = await page.evaluate(() => {
    const slider = document.querySelector('#network input[type=range]');
    const before_ = performance.now();
    slider.value = '1';
    slider.dispatchEvent(new Event('input'));
    return performance.now() - before_;
  });
  assert.ok(moved < 500, `the slider took ${moved} ms`);
  assert.deepEqual([complaints, requests], [[], []]);
  console.log(
    `${name}: ${(statSync(file).size / MB).toFixed(2)} MB, first paint ${Math.round(await firstPaint(page))} ms, drawn after ${opened} ms, slider ${Math.round(moved)} ms`,
  );
  await picture(page, name);
  await page.context().close();
  return said;
}

test('the page itself', () => {
  assert.ok(Buffer.byteLength(template) < 1.2 * MB, `${Buffer.byteLength(template)} bytes`);
});

test('the page of the demo’s run: under 3 MB, first paint within 2 s', async () => {
  const file = writePage('demo', fixture('consensus-kpca'));
  assert.ok(statSync(file).size < 3 * MB);
  const {page} = await open(browser, file);
  const paint = await firstPaint(page);
  console.log(
    `demo: ${(statSync(file).size / MB).toFixed(2)} MB, first paint ${Math.round(paint)} ms; pictures are in ${output}`,
  );
  assert.ok(paint < 2000, `${paint} ms`);
  await page.context().close();
});

function inGroups(links) {
  const document = manyNodes(10_000, 300, 50);
  const groups = Array.from({length: 100}, (_, group) => ({
    nodes: 100,
    sent: 2.2e8,
    quality: 0.9 + 0.09 * wave(group, 5),
  }));
  document.result.network = {nodes: 10_000, groups, links: groups.flatMap((_, group) => links(group))};
  return document;
}

test('10,000 nodes that the program has put into groups', async () => {
  const said = await usable(
    'many-grouped',
    inGroups((group) => [[group, (group + 1) % 100, 5e6, 5e6]]),
  );
  assert.ok(!said.includes('links'), said);
});

test('groups that all talk to each other', async () => {
  const later = (group) => Array.from({length: 99 - group}, (_, place) => [group, group + 1 + place, 5e6, 5e6 + place]);
  const said = await usable('many-meshed', inGroups(later));
  assert.match(said, /The 1,200 of 4,950 links that carried the most bytes are drawn\.$/);
});

test('10,000 nodes with every link', async () => {
  const document = manyNodes(10_000, 300, 50);
  const links = Array.from({length: 20_000}, (_, place) => [
    Math.floor(place / 2),
    (Math.floor(place / 2) + 1 + (place % 2)) % 10_000,
    550_000,
    550_000,
  ]);
  document.result.network = {nodes: 10_000, links, sent: Array.from({length: 10_000}, () => 2_200_000)};
  await usable('many-links', document);
});
