// Every panel of every method's page: it is there, it has a heading, its charts have drawn something, its switches work.
import assert from 'node:assert/strict';
import {after, before, describe, test} from 'node:test';

import {done, drawn, fixture, launch, open, picture, writePage} from './pages.mjs';

// What must be on the page of each run, in this order.
const ending = ['sent', 'faults', 'configuration'];
const scores = ['embedding', 'eigenvalues', ...ending];
const expected = {
  'consensus-kpca': ['summary', 'yardsticks', 'measures', 'network', 'convergence', 'node-quality', ...scores],
  'gossip-pca': ['summary', 'measures', 'network', 'convergence', 'gossip', ...scores],
  'oneshot-kpca': ['summary', 'measures', 'network', 'vectors', ...scores],
  'online-kernel': ['summary', 'measures', 'network', 'convergence', 'node-quality', ...ending],
  'federated-kmeans': ['summary', 'measures', 'network', 'rounds', 'clusters', 'embedding', ...ending],
  'central-kpca': ['summary', 'convergence', 'embedding', 'eigenvalues', 'sent', 'configuration'],
  'local-kpca': ['summary', 'yardsticks', 'network', 'node-quality', ...scores],
  landmarks: ['summary', 'yardsticks', 'measures', 'network', 'node-quality', ...scores],
  plane: ['summary', 'measures', 'network', 'convergence', 'decision', ...ending],
  lost: ['summary', 'measures', 'convergence', 'eigenvalues', ...ending],
};
const withCharts = new Set([
  'yardsticks',
  'network',
  'convergence',
  'node-quality',
  'embedding',
  'eigenvalues',
  'rounds',
  'clusters',
  'vectors',
  'decision',
]);

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

async function shown(name, options) {
  return open(browser, writePage(name, fixture(name)), options);
}

async function checkSections(page, sections) {
  const found = await page.locator('main > section').evaluateAll((all) =>
    all.map((section) => ({
      id: section.id,
      heading: section.querySelector('h2')?.textContent,
      labelled: section.getAttribute('aria-labelledby') === section.querySelector('h2')?.id,
      words: section.textContent.length,
      charts: [...section.querySelectorAll('.chart')].map(
        (chart) => chart.querySelectorAll('svg path, svg polyline').length,
      ),
    })),
  );
  assert.deepEqual(
    found.map(({id}) => id),
    sections,
  );
  for (const {id, heading, labelled, words, charts} of found) {
    assert.ok(heading && labelled, `${id} has a heading that names it`);
    assert.ok(words > heading.length + 5, `${id} is not empty`);
    if (withCharts.has(id)) assert.ok(charts.length > 0, `${id} has a chart`);
    for (const shapes of charts) assert.ok(shapes > 5, `a chart of ${id} has only ${shapes} shapes`);
  }
}

describe('the page of every method', () => {
  for (const [name, sections] of Object.entries(expected)) {
    test(name, async () => {
      const {page, complaints, requests} = await shown(name);
      await checkSections(page, sections);
      await picture(page, `${name}-light`);
      await page.emulateMedia({colorScheme: 'dark'});
      await page.locator('html[data-theme=dark]').waitFor();
      await picture(page, `${name}-dark`);
      assert.deepEqual(complaints, []);
      assert.deepEqual(requests, []);
      await done(page);
    });
    test(`${name} on a phone and on paper`, async () => {
      const {page, complaints} = await shown(name, {viewport: {width: 360, height: 740}});
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
      await picture(page, `${name}-phone`);
      await page.setViewportSize({width: 688, height: 900});
      await page.emulateMedia({media: 'print', colorScheme: 'dark'});
      await page.waitForFunction(() =>
        [...document.querySelectorAll('.chart svg')].every(
          (svg) => svg.getBoundingClientRect().right <= innerWidth + 1,
        ),
      );
      await page.locator('html[data-theme=light]').waitFor();
      assert.equal(await page.locator('nav').isVisible(), false);
      await picture(page, `${name}-print`);
      assert.ok((await page.pdf({format: 'A4'})).length > 10000);
      const ink = await page
        .locator('h2')
        .first()
        .evaluate((heading) => getComputedStyle(heading).color);
      assert.equal(ink, 'rgb(28, 33, 38)', 'dark on white, also after printing');
      assert.equal(await page.locator('html').getAttribute('data-theme'), 'light');
      assert.deepEqual(complaints, []);
      await done(page);
    });
  }
});

// Fills of the dots in the scatter of samples.
const dotsOf = (page) =>
  page
    .locator('#embedding svg path[fill-opacity], #embedding svg path[stroke-opacity]')
    .evaluateAll((dots) =>
      dots.map((dot) =>
        dot.getAttribute('stroke') && dot.getAttribute('stroke') !== 'none'
          ? dot.getAttribute('stroke')
          : dot.getAttribute('fill'),
      ),
    );

// Coordinate d of the sample in place n is 1000 d + n.
function withComponents(document, components) {
  const drawn = document.result.embedded_samples;
  drawn.axes = Array.from({length: components}, (_, place) => `component ${place + 1}`);
  for (const {points} of drawn.nodes) {
    for (const [place, point] of points.entries()) {
      points[place] = [...drawn.axes.map((_, axis) => 1000 * (axis + 1) + place), point.at(-1)];
    }
  }
  return document;
}

describe('switches', () => {
  const colours = (page) =>
    page
      .locator('#network svg path[fill^="rgb"]')
      .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('fill')).join(' '));

  test('the slider replays the iterations, by mouse, keyboard and by itself', async () => {
    const {page} = await shown('consensus-kpca');
    const slider = page.locator('#network input[type=range]');
    const said = page.locator('#network output');
    assert.equal(await said.textContent(), 'iteration 23 of 23');
    const end = await colours(page);
    await slider.fill('0');
    assert.equal(await said.textContent(), 'iteration 1 of 23');
    assert.equal(await slider.getAttribute('aria-valuetext'), 'iteration 1 of 23');
    const beginning = await colours(page);
    assert.notEqual(beginning, end);
    await slider.press('ArrowRight');
    assert.equal(await said.textContent(), 'iteration 3 of 23');
    assert.notEqual(await colours(page), beginning);
    await page.getByRole('button', {name: 'Play'}).click();
    await page.waitForFunction(() => document.querySelector('#network output').textContent === 'iteration 23 of 23');
    assert.equal(await colours(page), end);
    await page.context().close();
  });

  test('nodes can be coloured by something else, which may have no iterations', async () => {
    const {page} = await shown('consensus-kpca');
    const before_ = await colours(page);
    await page.getByLabel('Colour by').selectOption('sent');
    assert.notEqual(await colours(page), before_);
    assert.equal(await page.locator('#network input[type=range]').isVisible(), false);
    assert.match(await page.locator('#network .colourbar').textContent(), /MiB.*MiBbytes sent/);
    await done(page);
  });

  test('the embedding is that of the chosen node', async () => {
    const {page} = await shown('consensus-kpca');
    const {nodes} = fixture('consensus-kpca').result.embedded_samples;
    const caption = () => page.locator('#embedding figcaption').textContent();
    assert.match(await caption(), /^Samples of all nodes along component 1 and component 2$/);
    const all = await dotsOf(page);
    assert.equal(
      all.length,
      nodes.reduce((sum, {points}) => sum + points.length, 0),
    );
    await page.getByLabel('Samples of', {exact: true}).selectOption({label: 'node 13'});
    assert.match(await caption(), /^Samples of node 13 along/);
    assert.equal((await dotsOf(page)).length, nodes.find(({node}) => node === 13).points.length);
    assert.match(await page.locator('#embedding .chart').getAttribute('aria-label'), /^Samples of node 13 along/);
    await done(page);
  });

  test('samples are coloured by label or by node', async () => {
    const {page} = await shown('consensus-kpca');
    const legendOf = () => page.locator('#embedding .legend li').allTextContents();
    assert.equal((await legendOf()).length, 10);
    const byLabel = (await dotsOf(page)).join(' ');
    await page.getByLabel('Colour samples by').selectOption('node');
    assert.deepEqual(
      (await legendOf()).map((words) => words.slice(1)),
      ['node 0', 'node 7', 'node 13'],
    );
    const byNode = await dotsOf(page);
    assert.notEqual(byNode.join(' '), byLabel);
    assert.deepEqual(new Set(byNode), new Set(['#0072b2', '#d55e00', '#009e73']));
    await done(page);
  });

  test('samples are drawn along any two components', async () => {
    const {page} = await open(browser, writePage('four-components', withComponents(fixture('consensus-kpca'), 4)));
    await page.getByLabel('Samples of', {exact: true}).selectOption({label: 'node 7'});
    await page.getByLabel('x axis').selectOption({label: 'component 4'});
    await page.getByLabel('y axis').selectOption({label: 'component 3'});
    assert.equal(
      await page.locator('#embedding figcaption').textContent(),
      'Samples of node 7 along component 4 and component 3',
    );
    await page.locator('#embedding summary').click();
    await page.locator('#embedding tbody').waitFor();
    assert.deepEqual(await page.locator('#embedding thead th').allTextContents(), [
      'label',
      'component 4',
      'component 3',
    ]);
    const row = await page.locator('#embedding tbody tr').nth(5).locator('th, td').allTextContents();
    assert.deepEqual(row.slice(1), ['4005', '3005'].map((value) => Number(value).toLocaleString('en-GB')));
    await picture(page, 'four-components');
    await done(page);
  });

  test('nodes that never communicated do not share a picture at first', async () => {
    const document = withComponents(fixture('consensus-kpca'), 3);
    document.result.ledger = {messages: 0, bytes: 0, by_kind: {}};
    const {page} = await open(browser, writePage('silent-nodes', document));
    assert.match(await page.locator('#embedding figcaption').textContent(), /^Samples of node 0 along/);
    await page.getByLabel('Samples of', {exact: true}).selectOption({label: 'all nodes'});
    assert.match(await page.locator('#embedding .note').textContent(), /may differ in sign and order\.$/);
    await done(page);
  });

  test('the answers are those of the chosen node', async () => {
    const document = fixture('plane');
    const [, , last] = document.result.decision.nodes;
    last.cells = last.cells.map((place) => 1 - place);
    const {page} = await open(browser, writePage('plane-contrary', document));
    const colours = () =>
      page
        .locator('#decision svg path[d$=Z]')
        .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('fill')).join(' '));
    const first = await colours();
    await page.getByLabel('Predictions of').selectOption({label: 'node 2'});
    const swapped = {'#0072b2': '#d55e00', '#d55e00': '#0072b2'};
    assert.equal(
      await colours(),
      first.replaceAll(/#\w+/g, (colour) => swapped[colour]),
    );
    assert.ok(first.includes('#0072b2') && first.includes('#d55e00'));
    await done(page);
  });

  test('light and dark', async () => {
    const {page} = await shown('gossip-pca');
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const first = await background();
    await page.getByRole('button', {name: 'Switch to dark colours'}).click();
    assert.notEqual(await background(), first);
    await drawn(page);
    await page.getByRole('button', {name: 'Switch to light colours'}).click();
    assert.equal(await background(), first);
    await page.context().close();
  });

  test('the command is copied', async () => {
    const {page} = await shown('online-kernel', {permissions: ['clipboard-read', 'clipboard-write']});
    await page.getByRole('button', {name: 'Copy the command'}).click();
    await page.getByText('Copied.').waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), fixture('online-kernel').result.command);
    await page.context().close();
  });

  test('what is to be known of the command stands beside it, and how many processes ran', async () => {
    const document = fixture('consensus-kpca');
    const note = 'The data came from a pipe: put <it> into a file first.';
    Object.assign(document.result, {command_note: note, ranks: 4});
    delete document.result.options;
    const {page} = await open(browser, writePage('command-note', document));
    assert.equal(await page.locator('#configuration .command .note').textContent(), note);
    assert.match(await page.locator('#configuration .facts').textContent(), /ran on4 processes/);
    await page.locator('#configuration summary').click();
    assert.doesNotMatch(await page.locator('#configuration tbody').textContent(), /ranks|command note/);
    await picture(page, 'command-note');
    await done(page);
  });
});

describe('without eyes or a mouse', () => {
  test('landmarks, one first heading, charts with words, tables behind them', async () => {
    const {page} = await shown('consensus-kpca');
    for (const role of ['banner', 'main', 'navigation', 'contentinfo'])
      assert.equal(await page.getByRole(role).count(), 1, role);
    assert.equal(await page.locator('h1').count(), 1);
    const labels = await page
      .locator('.chart')
      .evaluateAll((charts) => charts.map((chart) => [chart.getAttribute('role'), chart.getAttribute('aria-label')]));
    for (const [role, label] of labels) assert.ok(role === 'img' && label.length > 10);
    const summaries = page.locator('.figures > summary');
    for (let place = 0; place < (await summaries.count()); ++place) {
      await summaries.nth(place).focus();
      await page.keyboard.press('Enter');
    }
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.figures')].every((details) => details.querySelector('tbody')),
    );
    const rows = await page
      .locator('.figures')
      .evaluateAll((all) => all.map((details) => details.querySelectorAll('tbody tr').length));
    assert.ok(rows.length >= 8 && rows.every((number) => number > 0), `rows: ${rows}`);
    await done(page);
  });

  test('a tile says what its figure is before the figure, and shows it below', async () => {
    const {page} = await shown('consensus-kpca');
    const tiles = await page.locator('.tile').evaluateAll((all) =>
      all.map((tile) => ({
        order: [...tile.children].map(({tagName}) => tagName).join(' '),
        figureAbove:
          tile.querySelector('dd').getBoundingClientRect().top < tile.querySelector('dt').getBoundingClientRect().top,
      })),
    );
    assert.equal(tiles.length, 6);
    for (const tile of tiles) assert.deepEqual(tile, {order: 'DT DD', figureAbove: true});
    await done(page);
  });

  test('the first key leads to the content, and focus is seen', async () => {
    const {page} = await shown('gossip-pca');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to content');
    await page.keyboard.press('Tab');
    assert.notEqual(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), 'none');
    await page.context().close();
  });
});
