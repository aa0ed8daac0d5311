// What the page says, against the document it was given; and documents of other shapes.
import assert from 'node:assert/strict';
import {after, before, describe, test} from 'node:test';

import {clustersByLabel, done, fixture, lastWords, launch, open, picture, predictionsByClass, writePage} from './pages.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

const show = (name, document) => open(browser, writePage(name, document));

// Halves of the list such that any two of its entries are parted by one of them.
function halves(list) {
  const parts = [];
  for (let bit = 1; bit < list.length; bit *= 2) {
    for (const wanted of [0, bit]) parts.push(list.filter((_, place) => (place & bit) === wanted));
  }
  return parts;
}

async function statementOf(change) {
  const document = fixture('consensus-kpca');
  change(document.result);
  const {page, complaints} = await show('statement', document);
  const words = {
    verdict: await page.locator('#sent .verdict').textContent(),
    summary: await page.locator('#summary strong').textContent(),
  };
  assert.deepEqual(complaints, []);
  await done(page);
  assert.equal(words.verdict, words.summary);
  return words.verdict;
}

describe('the disclosure statement follows the ledger', () => {
  test('raw samples were sent', async () => {
    assert.equal(await statementOf(() => {}), 'Raw samples left their nodes: 47.9 MiB in 80 messages.');
  });
  test('a single byte of them is enough', async () => {
    const words = await statementOf(({ledger}) => {
      ledger.by_kind.raw_samples = {messages: 1, bytes: 1};
    });
    assert.equal(words, 'Raw samples left their nodes: 1 B in 1 message.');
  });
  test('none were sent', async () => {
    assert.equal(
      await statementOf(({ledger}) => {
        ledger.by_kind.raw_samples = {messages: 0, bytes: 0};
      }),
      'No message of any node held raw samples.',
    );
    assert.equal(
      await statementOf(({ledger}) => {
        delete ledger.by_kind.raw_samples;
      }),
      'No message of any node held raw samples.',
    );
  });
  test('nothing was sent', async () => {
    assert.equal(
      await statementOf((result) => {
        result.ledger = {messages: 0, bytes: 0, by_kind: {}};
      }),
      'Nothing left any node.',
    );
  });
  test('a count without kinds promises nothing', async () => {
    const words = await statementOf((result) => {
      result.ledger = {messages: 3, bytes: 1000};
    });
    assert.equal(words, '1,000 B left the nodes in 3 messages of unknown kind.');
  });
  test('without a ledger nothing is promised', async () => {
    const document = fixture('consensus-kpca');
    delete document.result.ledger;
    const {page} = await show('statement', document);
    assert.equal(
      await page.locator('#summary strong').textContent(),
      'It is unknown what left the nodes: the run has no ledger.',
    );
    assert.equal(await page.locator('#sent').count(), 0);
    await done(page);
  });
  test('devices and the server are told apart', async () => {
    const {page} = await show('statement', fixture('federated-kmeans'));
    const words = await page.locator('#sent .statement').textContent();
    assert.match(words, /^No message of any device held raw samples\./);
    assert.match(words, /from devices:/);
    assert.match(words, /The server, which has no data of its own, sent 18\.1 MiB/);
    assert.match(words, /the server saw only totals/);
    assert.equal(await page.getByText('Devices and server separately').count(), 1);
    assert.equal(
      await page.locator('#summary dd').last().textContent(),
      'No message of any device held raw samples. Centroids (1.3 MiB), own statistics (5.4 MiB) and control (135.2 KiB) left their devices.',
    );
    await done(page);
  });
  test('a result of 0.1 has own statistics where it says statistics', async () => {
    const document = fixture('consensus-kpca');
    assert.ok(document.result.ledger.by_kind.statistics.bytes > 0);
    const {page} = await show('statement', document);
    const words = await page.locator('#sent .statement').textContent();
    assert.match(words, /Own statistics, .* messages?: sums over one node's samples, readable by the receiver/);
    assert.doesNotMatch(words, /unknown to this page/);
    await done(page);
  });
  test('masked words and totals are told apart', async () => {
    const document = fixture('consensus-kpca');
    document.result.ledger.by_kind = {totals: {messages: 3, bytes: 700}, masked: {messages: 2, bytes: 500}};
    delete document.result.sent_by_kind;
    const {page} = await show('statement', document);
    const words = await page.locator('#sent .statement').textContent();
    assert.match(words, /Masked words, 500 B in 2 messages: uniform words;.*Totals, 700 B in 3 messages: sums over all nodes/s);
    await done(page);
  });
  test('masks are claimed only where there were masks', async () => {
    const document = fixture('federated-kmeans');
    document.result.masked = false;
    const {page} = await show('statement', document);
    assert.match(
      await page.locator('#sent .statement').textContent(),
      /Sums were not masked: the server saw the sum of every device\./,
    );
    await done(page);
  });
});

describe('figures', () => {
  test('the yardsticks’ table has the document’s numbers', async () => {
    const {result} = fixture('consensus-kpca');
    const {page} = await show('figures', fixture('consensus-kpca'));
    const row = await page.locator('#yardsticks tbody tr').nth(2).locator('th, td').allTextContents();
    const names = ['local', 'gather_own', 'similarity_own', 'oracle', 'gather_neighborhood', 'similarity_neighborhood'];
    assert.deepEqual(row, ['3', ...names.map((name) => result.quality[name][2].toFixed(4))]);
    await done(page);
  });
  test('the mean line and the extremes are those of the records', async () => {
    const document = fixture('consensus-kpca');
    const gaps = document.metrics.filter(({iteration}) => iteration === 1).map(({gap}) => gap);
    const {page} = await show('figures', document);
    const figure = page.locator('#convergence figure', {hasText: 'Consensus gap'});
    await figure.locator('summary').click();
    await figure.locator('tbody').waitFor();
    const row = await figure.locator('tbody tr').first().locator('th, td').allTextContents();
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    assert.deepEqual(
      row,
      ['1', mean, Math.min(...gaps), Math.max(...gaps), 20].map((value) =>
        String(Number(Number(value).toPrecision(4))),
      ),
    );
    await done(page);
  });
  test('nobody is told apart where there is no server', async () => {
    const {page} = await show('figures', fixture('online-kernel'));
    assert.equal(await page.getByText('Devices and server separately').count(), 0);
    await done(page);
  });
  test('silent devices are said', async () => {
    const {page} = await show('figures', fixture('federated-kmeans'));
    const said = await page.locator('#faults .sentences li').allTextContents();
    assert.deepEqual(said.slice(-2), [
      'Round 6: Device 4 was silent in sums 6 to 7, which were done without it.',
      'Round 6: Device 5 was silent in sums 6 to 7, which were done without it.',
    ]);
    assert.equal(await page.locator('#faults .chart').count(), 2, 'one of seconds, one of rounds');
    await done(page);
    const old = fixture('federated-kmeans');
    delete old.result.faults;
    delete old.result.message_faults;
    const {page: earlier} = await show('figures', old);
    assert.equal(
      await lastWords(earlier, '#faults p'),
      'No node crashed or was lost. At most 2 devices were silent in any one sum, which was computed without them.',
    );
  });
  test('faults are where and when they were, and messages are counted', async () => {
    const {result} = fixture('gossip-pca');
    const {page} = await show('figures', fixture('gossip-pca'));
    const said = await page.locator('#faults .sentences li').allTextContents();
    assert.deepEqual(said.slice(0, 2), [
      '0.2 s: Node 3 crashed and left no model.',
      '0.35 s: Node 11 crashed and left no model.',
    ]);
    const lost = result.message_faults.lost.reduce((sum, number) => sum + number, 0);
    const most = Math.max(...result.message_faults.lost);
    assert.equal(
      said[2],
      `${lost} messages were lost in transit, ${most} of them from node ${result.message_faults.lost.indexOf(most)}.`,
    );
    assert.equal(
      await page.locator('#faults .chart').getAttribute('aria-label'),
      'Faults over time: 0.2 s: node 3 crashed; 0.35 s: node 11 crashed',
    );
    const table = page.locator('#faults .figures').last();
    await table.locator('summary').click();
    await table.locator('tbody').waitFor();
    const rows = await table.locator('tbody tr').allTextContents();
    assert.equal(rows.length, 20);
    assert.ok(rows[4].startsWith(`node 4${result.message_faults.lost[4]}`), rows[4]);
    await done(page);
  });
  test('five hundred faults are counted, and the page says so', async () => {
    const document = fixture('gossip-pca');
    document.result.time.virtual_s = 10;
    document.result.faults = Array.from({length: 500}, (_, node) => ({
      at: node < 400 ? 0.25 + node / 1000 : 2 + (node - 400) / 1000,
      unit: 's',
      node,
      what: node < 400 ? 'crashed' : 'given up',
      words: `Node ${node} is gone.`,
    }));
    const {page, complaints} = await show('many-faults', document);
    const label = await page.locator('#faults .chart').getAttribute('aria-label');
    assert.equal(label, 'Faults over time, counted in bins of 0.1 s: 400 crashed, 100 given up');
    assert.equal(
      await page.locator('#faults .note').textContent(),
      '500 faults of 500 nodes are too many to draw one by one: each bar counts the faults that began within 0.1 s. ' +
        'Nothing else happened until the end at 10 s.',
    );
    await page.locator('#faults figure summary').click();
    await page.locator('#faults figure tbody').waitFor();
    const rows = await page
      .locator('#faults figure tbody tr')
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
    assert.deepEqual(rows, [
      ['0.2 s', '50', '0'],
      ['0.3 s', '100', '0'],
      ['0.4 s', '100', '0'],
      ['0.5 s', '100', '0'],
      ['0.6 s', '50', '0'],
      ['2 s', '0', '100'],
    ]);
    const said = await page.locator('#faults .sentences li').allTextContents();
    assert.equal(said[12], '488 more are not listed.');
    await picture(page, 'many-faults-light');
    assert.deepEqual(complaints, []);
    await done(page);
  });
  test('no faults happened, or none can be known', async () => {
    const words = async (change) => {
      const document = fixture('online-kernel');
      change(document.result);
      const {page} = await show('figures', document);
      const said = await page.locator('#faults p').textContent();
      await done(page);
      return said;
    };
    assert.match(await words(() => {}), /^No faults occurred: no node crashed.*and no message was lost/);
    const unknown = await words((result) => {
      delete result.message_faults;
    });
    assert.match(unknown, /^No faults were seen: no node gave up on another\. Only simulated networks report crashes/);
    const again = await words((result) => {
      result.message_faults = {sent_again: [0, 3, 1]};
    });
    assert.equal(
      again,
      'No node crashed, joined late, was cut off or was given up. 4 times a lost message was sent again, 3 of them from node 1.',
    );
  });
  test('a stream that was resumed says where', async () => {
    const {page} = await show('figures', fixture('plane'));
    assert.deepEqual(await page.locator('#faults .sentences li').allTextContents(), [
      'Round 32: 3 nodes went on from a checkpoint after round 32, at sample 256 of their streams.',
    ]);
    await done(page);
  });
  test('samples of parties are seen by whoever has the answer', async () => {
    const {page} = await show('figures', fixture('oneshot-kpca'));
    assert.match(await page.locator('#embedding .note').textContent(), /^As seen by party 0, which has the answer\./);
    assert.equal(await page.getByLabel('Samples of', {exact: true}).count(), 0);
    await page.locator('#embedding summary').click();
    await page.locator('#embedding tbody').waitFor();
    assert.equal(await page.locator('#embedding caption').textContent(), 'Samples');
    await done(page);
  });
  test('samples of other processes are said to have stayed there', async () => {
    const document = fixture('central-kpca');
    document.result.embedded_samples.whose = 'nodes 0 to 4';
    const {page} = await show('figures', document);
    assert.equal(
      await page.locator('#embedding .note').textContent(),
      '80 of 2,000 samples of nodes 0 to 4 are shown. Samples of other processes stayed there.',
    );
    await done(page);
  });
  test('shares of the plane are those of the cells', async () => {
    const {decision} = fixture('plane').result;
    const {page} = await show('figures', fixture('plane'));
    await page.locator('#decision summary').click();
    await page.locator('#decision tbody').waitFor();
    const row = await page.locator('#decision tbody tr').nth(1).locator('th, td').allTextContents();
    const {node, cells} = decision.nodes[1];
    const share = cells.reduce((sum, cell) => sum + cell, 0) / cells.length;
    assert.ok(share > 0.2 && share < 0.8, 'both moons are there');
    const percent = (value) => `${(100 * value).toFixed(1)}\u00a0%`;
    assert.deepEqual(row, [`node ${node}`, percent(1 - share), percent(share)]);
    await done(page);
  });
  test('faults of a run folder without a list come from lost peers and crashes', async () => {
    const {page} = await show('figures', fixture('lost'));
    const said = await page.locator('#faults .sentences li').allTextContents();
    assert.equal(said.length, 1 + fixture('lost').result.lost_peers.length);
    assert.match(said[0], /^Node 10 crashed/);
    assert.equal(said[1], 'Round 80: Node 8 continued without node 10, which missed its deadline.');
    await done(page);
  });
});

describe('the confusion matrix', () => {
  const withConfusion = (name, confusion) => {
    const document = fixture(name);
    document.result.confusion = confusion;
    return document;
  };
  const cells = (page) =>
    page
      .locator('#confusion tr')
      .evaluateAll((all) => all.map((row) => [...row.children].map(({textContent}) => textContent)));

  test('clusters are ordered so that the largest counts lie on the diagonal', async () => {
    const {page, complaints} = await show('confusion', withConfusion('federated-kmeans', clustersByLabel));
    assert.deepEqual(await cells(page), [
      ['label \\ cluster', '2', '0', '1'],
      ['0', '85', '5', '10'],
      ['1', '0', '70', '30'],
    ]);
    const words = await page.locator('#confusion').textContent();
    assert.match(words, /92\.5\s% of 200 samples have the most frequent label of their cluster\./);
    assert.match(words, /Clusters are ordered so that the largest counts lie on the diagonal/);
    assert.deepEqual(complaints, []);
    await picture(page, 'confusion-clusters');
    await done(page);
  });
  test('classes stay in their order, and the diagonal is correct', async () => {
    const {page} = await show('confusion', withConfusion('online-kernel', predictionsByClass));
    assert.deepEqual(await cells(page), [
      ['class \\ prediction', '3', '8'],
      ['3', '90', '10'],
      ['8', '20', '80'],
    ]);
    const words = await page.locator('#confusion').textContent();
    assert.match(words, /170 of 200 predictions \(85\.0\s%\) are correct\./);
    assert.match(words, /Predictions of all nodes are counted together\./);
    await done(page);
  });
  test('thirty classes fit on a phone, and a row’s largest share is the darkest', async () => {
    const names = Array.from({length: 30}, (_, place) => place);
    const counts = names.map((row) => names.map((column) => (row === column ? 5000 : row + column)));
    const document = withConfusion('online-kernel', {...predictionsByClass, rows: names, columns: names, counts});
    const file = writePage('confusion-phone', document);
    const {page} = await open(browser, file, {viewport: {width: 360, height: 740}});
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    const shades = await page
      .locator('#confusion tbody tr')
      .first()
      .locator('td')
      .evaluateAll((all) => all.map((cell) => Number(cell.getAttribute('style').match(/(\d+)%/)[1])));
    assert.equal(Math.max(...shades), shades[0]);
    assert.ok(shades[0] > 40 && shades[1] === 0);
    await done(page);
  });
  test('counts that do not fit their rows are not drawn', async () => {
    const document = withConfusion('online-kernel', {...predictionsByClass, rows: [3]});
    const {page, complaints} = await show('confusion', document);
    assert.equal(await page.locator('#confusion').count(), 0);
    assert.deepEqual(complaints, []);
    await done(page);
  });
});

describe('how a run ended', () => {
  const endingOf = (page) => page.locator('#summary dd', {hasText: 'onverged'}).last();

  test('a run that did not converge warns as raw samples do', async () => {
    const document = fixture('consensus-kpca');
    document.result.converged = false;
    const {page} = await show('unfinished', document);
    const words = endingOf(page).locator('strong.warns');
    assert.equal(
      await words.textContent(),
      'Not converged after 23 iterations: the figures are those of an unfinished run.',
    );
    const colour = (locator) => locator.evaluate((element) => getComputedStyle(element).color);
    const raw = page.locator('#summary strong.warns', {hasText: 'Raw samples left'});
    assert.equal(await colour(words), await colour(raw));
    assert.equal(await page.locator('.tile.warns').textContent(), 'convergedno');
    await picture(page, 'unfinished');
    await done(page);
    const {page: finished} = await show('finished', fixture('consensus-kpca'));
    assert.equal(await finished.locator('.tile.warns').count(), 0);
    await done(finished);
  });
  test('iterations of the eigensolver are those of the chart, and products are named', async () => {
    const {result, metrics} = fixture('central-kpca');
    const said = async (changed) => {
      const {page} = await show('iterations', {result: {...result, ...changed}, metrics});
      const words = await endingOf(page).textContent();
      await done(page);
      return words.trim();
    };
    const last = metrics.at(-1).iteration;
    const products = result.products ?? result.iterations;
    const words = `Converged after ${last} iterations (${products} products with the kernel matrix), residual`;
    assert.ok((await said({})).startsWith(words), words);
    assert.ok((await said({iterations: last, products})).startsWith(words), words);
  });
  test('a page is called by the name of its run', async () => {
    const {page} = await show('named', {name: 'digits-gamma-0.02', ...fixture('consensus-kpca')});
    assert.equal(await page.title(), 'digits-gamma-0.02 – choir');
    assert.equal(await page.locator('h1').textContent(), 'digits-gamma-0.02');
    assert.match(await page.locator('.subtitle').textContent(), /^Decentralised kernel PCA/);
    await done(page);
  });
});

describe('documents', () => {
  test('without a key there is no panel, and no error', async () => {
    for (const name of ['consensus-kpca', 'federated-kmeans']) {
      const {result: whole, metrics} = fixture(name);
      const few = metrics.filter(({node = 0}) => node < 2);
      for (const dropped of halves(Object.keys(whole))) {
        const kept = Object.fromEntries(Object.entries(whole).filter(([key]) => !dropped.includes(key)));
        const {page, complaints} = await show('partial', {result: kept, metrics: few});
        assert.deepEqual(complaints, [], `${name} without ${dropped}`);
        await done(page);
      }
    }
  });
  test('nothing at all is still a page', async () => {
    for (const document of [{}, {result: null, metrics: null}, {result: {method: 'something-new', nodes: 3}}]) {
      const {page, complaints} = await show('empty', document);
      assert.deepEqual(complaints, []);
      assert.equal(await page.locator('h1').count(), 1);
      await done(page);
    }
  });
  test('an experiment', async () => {
    const document = fixture('experiment');
    const {page, complaints, requests} = await show('experiment', document);
    assert.equal(await page.locator('h1').textContent(), 'consensus-kpca/fig3');
    const quantities = new Set(document.experiment.table.rows.map((row) => row[2]));
    assert.equal(await page.locator('#quantities .chart').count(), quantities.size);
    assert.equal(await page.locator('#pictures img').count(), document.experiment.svgs.length);
    assert.ok(await page.locator('#pictures img').evaluateAll((all) => all.every((image) => image.naturalWidth > 100)));
    await page.locator('#table summary').click();
    await page.locator('#table tbody').waitFor();
    assert.equal(await page.locator('#table tbody tr').count(), document.experiment.table.rows.length);
    assert.deepEqual([complaints, requests], [[], []]);
    await picture(page, 'experiment-light');
    await done(page);
  });
  test('an experiment over words has bars, and one at a single setting a table', async () => {
    const columns = ['consensus', 'series', 'quantity', 'mean', 'min', 'max', 'repeats'];
    const rows = [
      ['penalty', 'all', 'score', 4.5, 4.4, 4.6, 2],
      ['symmetric', 'all', 'score', 4.4, 4.4, 4.4, 2],
    ];
    const {page, complaints} = await show('experiment-words', {experiment: {id: 'words', columns, rows}});
    assert.match(await page.locator('.chart').getAttribute('aria-label'), /^Score, by consensus: all from 4.5 to 4.4$/);
    assert.deepEqual(complaints, []);
    await done(page);
    const {page: single} = await show('experiment-single', {experiment: {id: 'one', columns, rows: rows.slice(0, 1)}});
    assert.equal(await single.locator('.chart').count(), 0);
    assert.deepEqual(await single.locator('#quantities tbody').locator('th, td').allTextContents(), ['score', '4.5']);
    await done(single);
  });
  test('bars beyond the palette are striped, and the longer list of a table goes down', async () => {
    const columns = ['consensus', 'series', 'quantity', 'mean'];
    const names = Array.from({length: 11}, (_, place) => `series ${place}`);
    const rows = ['one', 'two'].flatMap((word) => names.map((name, place) => [word, name, 'score', place + 1]));
    const {page, complaints} = await show('experiment-bars', {experiment: {id: 'bars', columns, rows}});
    assert.equal(await page.locator('.legend .striped').count(), 2);
    assert.ok((await page.locator('.chart pattern').count()) > 0);
    assert.deepEqual(complaints, []);
    await picture(page, 'experiment-bars');
    await done(page);
    const {page: single} = await show('experiment-down', {experiment: {id: 'down', columns, rows: rows.slice(0, 11)}});
    assert.deepEqual(await single.locator('#quantities tbody th').allTextContents(), names);
    await done(single);
  });
  test('an experiment says how to repeat it', async () => {
    const {experiment} = fixture('experiment');
    const command = 'choir experiment consensus-kpca/fig3 --quick --out runs/experiments';
    const call = {command, started: '2026-11-16T07:00:00Z', versions: {choir: '9.9', blas: 'OpenBLAS 9'}};
    const {page} = await show('experiment-call', {experiment: {...experiment, ...call}});
    assert.equal(await page.locator('#about pre').textContent(), command);
    const about = await page.locator('#about dl').textContent();
    for (const words of [call.started, 'OpenBLAS 9']) assert.ok(about.includes(words), about);
    assert.equal(about.split('choir').length, 2, 'the version of choir once');
    await done(page);
  });
  test('a folder of experiments', async () => {
    const {experiment} = fixture('experiment');
    const entry = (id, rest) => ({id, shows: `what ${id} shows`, page: `${id}.html`, seeds: 5, seconds: 3, ...rest});
    const experiments = [
      entry('gossip-pca/fig1', {svg: experiment.svgs[0].svg}),
      entry('gossip-pca/fig2', {quick: true}),
      entry('consensus-kpca/fig3', {page: 'javascript:alert(1)//.html'}),
      entry('consensus-kpca/fig4', {page: '../../elsewhere.html'}),
    ];
    const {page, complaints, requests} = await show('contents', {experiments});
    assert.deepEqual(await page.locator('h2').allTextContents(), ['gossip-pca', 'consensus-kpca']);
    const links = page.locator('.card a');
    assert.deepEqual(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href'))), [
      'gossip-pca/fig1.html',
      'gossip-pca/fig2.html',
    ]);
    assert.ok(await page.locator('.card img').evaluate((image) => image.naturalWidth > 100));
    assert.deepEqual(await page.locator('.card .note').allTextContents(), [
      '5 repetitions, 3 s',
      'small sizes, 3 s',
      '5 repetitions, 3 s',
      '5 repetitions, 3 s',
    ]);
    assert.deepEqual([complaints, requests], [[], []]);
    await picture(page, 'contents-light');
    await done(page);
  });
});
