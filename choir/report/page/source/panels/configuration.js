// How to repeat the run: one command to copy, every option, versions.
import {element} from '../dom.js';
import {bytes, isNumber, seconds} from '../format.js';
import {objectOf} from '../run.js';
import {facts, table} from '../table.js';
import {plain} from '../words.js';

const shown = (value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value));

// A page from disk may not be allowed to write to the clipboard; selected text can be copied by hand.
async function copy(text, from, status) {
  try {
    await navigator.clipboard.writeText(text);
    status.textContent = 'Copied.';
  } catch {
    getSelection().selectAllChildren(from);
    status.textContent = document.execCommand('copy') ? 'Copied.' : 'Selected: copy it with the keyboard.';
  }
}

// Lines end between words, not behind the dashes of an option.
const wordByWord = (text) =>
  text.split(/(\s+)/).map((part) => (part.trim() ? element('span', {class: 'word'}, part) : part));

function command(result) {
  const text = result.command ?? result.shown_command;
  if (typeof text !== 'string') return null;
  const status = element('span', {role: 'status', class: 'status'});
  const words = element('code', {}, wordByWord(typeof result.shown_command === 'string' ? result.shown_command : text));
  const button = element('button', {type: 'button', onclick: () => copy(text, words, status)}, 'Copy the command');
  return element(
    'div',
    {class: 'command'},
    element('pre', {tabindex: '0', 'aria-label': 'The command that repeats the run'}, words),
    element('p', {}, button, status),
  );
}

function circumstances(result) {
  const time = objectOf(result.time);
  return facts(
    [
      result.started && ['started', String(result.started)],
      result.choir && ['choir', String(result.choir)],
      ...Object.entries(objectOf(result.versions))
        .filter(([name]) => name !== 'choir')
        .map(([name, version]) => [name, shown(version)]),
      result.engine && ['engine', String(result.engine)],
      isNumber(result.random_state) && ['seed', String(result.random_state)],
      ...['setup_s', 'iterate_s', 'total_s', 'virtual_s']
        .filter((name) => isNumber(time[name]) && time[name] > 0)
        .map((name) => [
          {
            setup_s: 'time of set-up',
            iterate_s: 'time of iterations',
            total_s: 'time in all',
            virtual_s: 'on the simulated clock',
          }[name],
          seconds(time[name]),
        ]),
      isNumber(result.memory_peak_bytes) && ['memory, at most', bytes(result.memory_peak_bytes)],
      isNumber(result.planned_memory_bytes) && ['memory, planned', bytes(result.planned_memory_bytes)],
    ].filter(Boolean),
  );
}

// Words and single numbers that a method adds to the result: how it was run.
const notOptions = new Set([
  'choir',
  'method',
  'engine',
  'command',
  'shown_command',
  'started',
  'random_state',
  'nodes',
  'samples',
  'features',
  'n_components',
  'converged',
  'iterations',
  'residual',
  'memory_peak_bytes',
  'planned_memory_bytes',
  'between_node_variance',
  'eigen_route_words',
]);
const ownWords = (result) =>
  Object.entries(result).filter(
    ([name, value]) => !notOptions.has(name) && ['string', 'number', 'boolean'].includes(typeof value),
  );

export const configuration = {
  id: 'configuration',
  title: 'How to repeat it',
  applies: () => true,
  render({result}) {
    const options = Object.entries(objectOf(result.options));
    const rows = (options.length > 0 ? options : ownWords(result)).map(([name, value]) => [
      options.length > 0 ? name : plain(name),
      shown(value),
    ]);
    return [
      command(result),
      circumstances(result),
      rows.length > 0 &&
        element(
          'details',
          {class: 'figures'},
          element('summary', {}, options.length > 0 ? 'All options as they were used' : 'As the method was run'),
          table({caption: 'Options', columns: [{title: 'name'}, {title: 'value'}], rows}),
        ),
    ];
  },
};
