// Hostile text in labels, file names, notes and keys is text. Nothing it says is run or loaded.
import assert from 'node:assert/strict';
import {once} from 'node:events';
import {createServer} from 'node:http';
import {after, before, test} from 'node:test';

import {fixture, launch, open, pageOf, picture, writePage} from './pages.mjs';

const hostile = '</script><img src=x onerror="window.harmed=1"><script>window.harmed=1</script>{a|b}{b}';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

async function unharmed(name, document) {
  const {page, complaints, requests} = await open(browser, writePage(name, document));
  for (const summary of await page.locator('summary').all()) await summary.click();
  for (const chart of await page.locator('.chart').all()) {
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.boundingBox();
    for (const share of [0.25, 0.5, 0.75]) await page.mouse.move(box.x + share * box.width, box.y + 0.5 * box.height);
  }
  assert.equal(await page.evaluate(() => window.harmed), undefined);
  assert.equal(await page.locator('img:not(.picture), main script, iframe').count(), 0);
  assert.deepEqual([complaints, requests], [[], []]);
  return page;
}

test('in a run', async () => {
  const document = fixture('consensus-kpca');
  const {result} = document;
  Object.assign(result, {
    command: `choir fit --data '${hostile}'`,
    notes: [hostile],
    engine: hostile,
    started: hostile,
    title: hostile,
    versions: {[hostile]: hostile},
  });
  result.options = {data: hostile, [hostile]: 1};
  result.quality[hostile] = [0.5];
  result.quality.per_node[hostile] = result.quality.per_node.local;
  result.ledger.by_kind[hostile] = {messages: 1, bytes: 10_000_000};
  result.sent_by_kind[hostile] = result.sent_by_kind.centroids;
  result.network.reason = hostile;
  result.faults = [
    {at: 1, unit: 's', node: hostile, what: hostile, words: hostile},
    {at: 2, unit: hostile, node: 1, what: 'crashed'},
  ];
  result.embedded_samples.axes = result.embedded_samples.axes.map(() => hostile);
  for (const entry of result.embedded_samples.nodes) {
    entry.name = hostile;
    for (const point of entry.points) point.push(`${point.pop()}${hostile}`);
  }
  result.confusion = {
    rows: [hostile],
    columns: [hostile],
    counts: [[3]],
    rows_are: hostile,
    columns_are: hostile,
    note: hostile,
  };
  const {decision} = fixture('plane').result;
  result.decision = {...decision, axes: [hostile, hostile], classes: decision.classes.map(() => hostile)};
  document.metrics = document.metrics.map((line) => ({...line, [hostile]: line.gap}));
  const page = await unharmed('hostile', document);
  for (const id of [
    'summary',
    'network',
    'convergence',
    'confusion',
    'embedding',
    'decision',
    'sent',
    'faults',
    'configuration',
  ]) {
    const words = await page.locator(`#${id}`).evaluate((section) => section.textContent);
    assert.ok(words.includes(hostile.replaceAll('_', ' ')), `${id} shows it as text`);
  }
  await picture(page, 'hostile');
  await page.context().close();
});

test('in the names of runs', async () => {
  const page = await unharmed('hostile-comparison', {
    runs: ['consensus-kpca', 'gossip-pca'].map((name) => ({...fixture(name), name: `${name} ${hostile}`})),
  });
  assert.ok((await page.locator('#side-by-side thead').textContent()).includes(hostile));
  assert.ok((await page.locator('h1').textContent()).includes(hostile));
  await page.context().close();
});

test('in an experiment and its pictures', async () => {
  const {experiment} = fixture('experiment');
  experiment.experiment = hostile;
  experiment.shows = hostile;
  experiment.notes = [hostile];
  for (const row of experiment.table.rows) row[1] = `${row[1]} ${hostile}`;
  experiment.svgs = [
    {
      name: hostile,
      svg: '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="50"><script>window.harmed=1;parent.harmed=1</script><image href="http://localhost:1/x.png"/></svg>',
    },
  ];
  const page = await unharmed('hostile-experiment', {experiment});
  assert.equal(await page.locator('h1').textContent(), hostile);
  await page.context().close();
});

// Tries to load an image, fetch an address and run a script, and waits for what becomes of it.
async function attempt(page, address) {
  await page.evaluate(async (url) => {
    const script = document.createElement('script');
    script.textContent = 'window.harmed = 1';
    document.body.append(script);
    const image = Object.assign(document.createElement('img'), {src: `${url}/image.png`});
    const ended = new Promise((resolve) => {
      image.onload = image.onerror = resolve;
    });
    document.body.append(image);
    await Promise.all([ended, fetch(url).catch(() => {})]);
  }, address);
}

// A browser may keep files from asking servers whatever their policy says, so here a server hands out the page.
test('the policy keeps even a page that wanted to from asking a server', async (t) => {
  const asked = [];
  let content = pageOf(fixture('central-kpca'));
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(content);
  }).listen(0, '127.0.0.1');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const address = `http://127.0.0.1:${server.address().port}`;
  const page = await browser.newPage();
  await page.goto(address);
  await attempt(page, address);
  assert.deepEqual(asked, ['/']);
  assert.equal(await page.evaluate(() => window.harmed), undefined);
  content = content.replace(/<meta http-equiv[^>]*>/, '');
  await page.goto(address);
  await attempt(page, address);
  assert.ok(asked.includes('/image.png'), 'without the policy it asks');
  assert.equal(await page.evaluate(() => window.harmed), 1);
  await page.context().close();
});
