// The headline: sentences, and the figures that a reader looks for first.
import {disclosure} from '../disclosure.js';
import {element} from '../dom.js';
import {bytes, capitalised, count, figure, isNumber, listed, seconds} from '../format.js';
import {doubtful, headline, mainFigure, sentByOne, unfinished, weak} from '../headline.js';
import {cutWords} from '../recorded.js';
import {listOf} from '../run.js';

function tile(value, words, look = '') {
  return element('div', {class: `tile ${look}`.trim()}, element('dt', {}, words), element('dd', {}, value));
}

function tiles(run) {
  const main = mainFigure(run);
  const sent = sentByOne(run);
  const {time, memory_peak_bytes: memory, samples} = run.result;
  return element('dl', {class: 'tiles'}, [
    main && tile(main.value, main.words),
    unfinished(run) && tile('no', 'converged', 'warns'),
    weak(run) && tile('weak', 'answer', 'warns'),
    run.nodes > 1 && tile(count(run.nodes), run.several),
    isNumber(samples) && tile(count(samples), 'samples'),
    sent !== null && run.nodes > 1 && tile(bytes(sent), `sent per ${run.someone}, mean`),
    isNumber(time?.total_s) && tile(seconds(time.total_s), 'total time'),
    isNumber(memory) && tile(bytes(memory), 'peak memory'),
  ]);
}

// What left nodes or devices besides raw samples, so that nobody takes "no raw samples" for "nothing".
function sentKinds(run, clean) {
  const kinds = run
    .kinds(run.sentByOwners)
    .filter(([key]) => key !== 'raw_samples')
    .map(([key, sent]) => `${run.kind(key).name} (${bytes(sent.bytes)})`);
  if (kinds.length === 0) return null;
  return clean ? ` ${capitalised(listed(kinds))} left their ${run.several}.` : ` So did ${listed(kinds)}.`;
}

const row = (name, sentences) =>
  sentences.length > 0 && [
    element('dt', {}, name),
    element(
      'dd',
      {},
      sentences.flatMap((sentence) => [sentence, ' ']),
    ),
  ];

function privacyWords(run) {
  if (!run.isPrivate) return [];
  const {epsilon, delta} = run.result.privacy;
  return [`Epsilon ${figure(epsilon)}, delta ${figure(delta)} for each sample (differential privacy).`];
}

// A run that did not converge is as hard to overlook as raw samples that left a node.
const endingWords = (run, words) => (doubtful(run) ? element('strong', {class: 'warns'}, words) : words);

export const summary = {
  id: 'summary',
  title: 'Summary',
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
        row('Quality', words.quality),
        row('Convergence', [words.ending && endingWords(run, words.ending), words.spread].filter(Boolean)),
        row('Cost', [words.cost].filter(Boolean)),
        row('Privacy', privacyWords(run)),
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
