// How to reproduce the run: one command to copy, every option, versions.
import {command} from '../command.js';
import {element} from '../dom.js';
import {bytes, isNumber, plural, seconds} from '../format.js';
import {optionWords} from '../options.js';
import {objectOf} from '../run.js';
import {facts, table} from '../table.js';
import {plain} from '../words.js';

function circumstances(result) {
  const time = objectOf(result.time);
  return facts(
    [
      result.started && ['started', String(result.started)],
      result.choir && ['choir', String(result.choir)],
      ...Object.entries(objectOf(result.versions))
        .filter(([name]) => name !== 'choir')
        .map(([name, version]) => [name, optionWords(version)]),
      result.engine && ['engine', String(result.engine)],
      isNumber(result.ranks) && ['ran on', plural(result.ranks, 'process', 'processes')],
      isNumber(result.random_state) && ['seed', String(result.random_state)],
      ...['setup_s', 'iterate_s', 'total_s', 'virtual_s']
        .filter((name) => isNumber(time[name]) && time[name] > 0)
        .map((name) => [
          {
            setup_s: 'set-up time',
            iterate_s: 'iteration time',
            total_s: 'total time',
            virtual_s: 'simulated time',
          }[name],
          seconds(time[name]),
        ]),
      isNumber(result.memory_peak_bytes) && ['peak memory', bytes(result.memory_peak_bytes)],
      isNumber(result.planned_memory_bytes) && ['planned memory', bytes(result.planned_memory_bytes)],
    ].filter(Boolean),
  );
}

// Words and single numbers that a method adds to the result: its settings.
const notOptions = new Set([
  'choir',
  'method',
  'engine',
  'command',
  'shown_command',
  'command_note',
  'ranks',
  'started',
  'random_state',
  'nodes',
  'samples',
  'features',
  'n_components',
  'converged',
  'iterations',
  'products',
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
  title: 'How to reproduce it',
  applies: () => true,
  render({result}) {
    const options = Object.entries(objectOf(result.options));
    const rows = (options.length > 0 ? options : ownWords(result)).map(([name, value]) => [
      options.length > 0 ? name : plain(name),
      optionWords(value),
    ]);
    return [
      command(result),
      circumstances(result),
      rows.length > 0 &&
        element(
          'details',
          {class: 'figures'},
          element('summary', {}, options.length > 0 ? 'All options' : 'Settings of the method'),
          table({caption: 'Options', columns: [{title: 'name'}, {title: 'value'}], rows}),
        ),
    ];
  },
};
