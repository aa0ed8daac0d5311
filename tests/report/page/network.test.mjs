// The network: what it is coloured by at first, and what its tables say.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';

import {done, fixture, launch, open, picture, writePage} from './pages.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const show = (name, document) => open(browser, writePage(name, document));
const colouring = (page) => page.getByLabel('Colour by').inputValue();

test('it opens coloured by how good the run’s own answer is', async () => {
  const first = {
    'consensus-kpca': 'similarity',
    landmarks: 'end-similarity_shared',
    'local-kpca': 'end-local',
    'gossip-pca': 'error',
    'online-kernel': 'end-accuracy',
    plane: 'disagreement',
  };
  for (const [name, value] of Object.entries(first)) {
    const {page} = await show(`colour-${name}`, fixture(name));
    assert.equal(await colouring(page), value, name);
    await picture(page, `colour-${name}`);
    await done(page);
  }
});

async function tables(page) {
  const details = page.locator('#network .figures');
  await details.locator('summary').click();
  await details.locator('tbody').first().waitFor();
  return details.locator('table').evaluateAll((all) =>
    all.map((table) => ({
      caption: table.querySelector('caption').textContent,
      rows: [...table.querySelectorAll('tbody tr')].map((row) => [...row.children].map(({textContent}) => textContent)),
    })),
  );
}

test('a table has every link with its bytes, the heaviest first', async () => {
  const document = fixture('gossip-pca');
  const {page} = await show('links', document);
  const [, {caption, rows}] = await tables(page);
  assert.equal(caption, 'Links, heaviest first');
  const {links} = document.result.network;
  assert.equal(rows.length, links.length);
  const heaviest = Math.max(...links.map(([, , there, back]) => there + back));
  const [from, to, there, back] = links.find((link) => link[2] + link[3] === heaviest);
  const inMiB = (value) => `${(value / 2 ** 20).toFixed(1)} MiB`;
  assert.deepEqual(rows[0], [`node ${from} and node ${to}`, ...[heaviest, there, back].map(inMiB)]);
  await done(page);
});

test('of too many links the table says how many it has', async () => {
  const document = fixture('gossip-pca');
  const nodes = 60;
  const links = [];
  for (let i = 0; i < nodes; ++i) for (let j = 0; j < i; ++j) links.push([j, i, 100 + i, 100 + j]);
  document.result.network = {nodes, links};
  const {page} = await show('many-links-table', document);
  const [, {caption, rows}] = await tables(page);
  assert.equal(caption, 'The 500 of 1,770 links that carried the most bytes, heaviest first');
  assert.equal(rows.length, 500);
  assert.deepEqual(rows[0], ['node 58 and node 59', '317 B', '159 B', '158 B']);
  await done(page);
});

test('a server is called a server', async () => {
  const {page} = await show('links-server', fixture('federated-kmeans'));
  const [, {rows}] = await tables(page);
  assert.ok(
    rows.length > 0 && rows.every(([link]) => /^node \d+ and server$|^server and node \d+$/.test(link)),
    rows[0],
  );
  await done(page);
});
