// The headline: sentences, and the figures one looks for first.
import {disclosure} from '../disclosure.js';
import {element} from '../dom.js';
import {bytes, capitalised, count, isNumber, listed, seconds} from '../format.js';
import {headline, mainFigure, sentByOne} from '../headline.js';
import {cutWords} from '../recorded.js';
import {listOf} from '../run.js';
import {kindOf} from '../words.js';

function tile(value, words) {
  return element('div', {class: 'tile'}, element('dt', {}, words), element('dd', {}, value));
}

function tiles(run) {
  const main = mainFigure(run);
  const sent = sentByOne(run);
  const {time, memory_peak_bytes: memory, samples} = run.result;
  return element('dl', {class: 'tiles'}, [
    main && tile(main.value, main.words),
    run.nodes > 1 && tile(count(run.nodes), run.several),
    isNumber(samples) && tile(count(samples), 'samples'),
    sent !== null && run.nodes > 1 && tile(bytes(sent), `sent by a ${run.someone}, mean`),
    isNumber(time?.total_s) && tile(seconds(time.total_s), 'in all'),
    isNumber(memory) && tile(bytes(memory), 'memory, at most'),
  ]);
}

// What left nodes or devices beside raw samples, so that nobody takes "no raw sample" for "nothing".
function sentKinds(run, clean) {
  const kinds = run
    .kinds(run.sentByOwners)
    .filter(([key]) => key !== 'raw_samples')
    .map(([key, sent]) => `${kindOf(key).name} (${bytes(sent.bytes)})`);
  if (kinds.length === 0) return null;
  return clean ? ` ${capitalised(listed(kinds))} did.` : ` So did ${listed(kinds)}.`;
}

const row = (name, sentences) =>
  sentences.length > 0 && [element('dt', {}, name), element('dd', {}, sentences.join(' '))];

export const summary = {
  id: 'summary',
  title: 'In short',
  applies: () => true,
  render(run) {
    const words = headline(run);
    const {verdict, clean} = disclosure(run);
    const notes = [...listOf(run.result.notes).map(String), cutWords(run)].filter(Boolean);
    return [
      element('p', {class: 'lead'}, words.what),
      tiles(run),
      element(
        'dl',
        {class: 'answers'},
        row('How good', words.quality),
        row('How sure', words.sure),
        row('At what cost', [words.cost].filter(Boolean)),
        element('dt', {}, 'What left the nodes'),
        element('dd', {}, element('strong', {class: clean ? 'clean' : 'warns'}, verdict), sentKinds(run, clean)),
      ),
      notes.length > 0 &&
        element(
          'div',
          {class: 'notes', role: 'note', 'aria-label': 'Notes of the run'},
          element(
            'ul',
            {},
            notes.map((note) => element('li', {}, note)),
          ),
        ),
    ];
  },
};
