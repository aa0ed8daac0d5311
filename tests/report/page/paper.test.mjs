// On paper a heading stands above what it is the heading of, wherever the sheet ends.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';

import {done, fixture, launch, open, writePage} from './pages.mjs';
import {onSheets} from './paper.mjs';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

async function printed(notes, components) {
  const document = fixture('consensus-kpca');
  const {result} = document;
  result.notes = Array.from({length: notes}, (_, place) => `Note ${place} of the run.`);
  for (const values of Object.values(result.quality)) if (Array.isArray(values)) values.length = components;
  const {page} = await open(browser, writePage('paper', document));
  await page.emulateMedia({media: 'print'});
  const pdf = await page.pdf({format: 'A4', outline: true, tagged: true});
  await done(page);
  return onSheets(pdf);
}

test('headings stay with their first picture', async () => {
  const firstPictures = [
    ['Similarity and yardsticks', /^Similarity to the solution of one machine/],
    ['The network', /^20 nodes, 40 links/],
    ['Node by node', /^Similarity of each node, mean over components/],
    ['Eigenvalues', /^Eigenvalue of each component/],
  ];
  for (const components of [2, 10]) {
    for (const notes of [0, 2, 4, 7, 10, 13]) {
      const {headings, pictures} = await printed(notes, components);
      for (const [heading, words] of firstPictures) {
        const first = pictures.find((picture) => words.test(picture.words));
        assert.ok(headings.get(heading) && first?.sheet, heading);
        assert.equal(headings.get(heading), first.sheet, `${heading}, ${notes} notes, ${components} components`);
      }
    }
  }
});
