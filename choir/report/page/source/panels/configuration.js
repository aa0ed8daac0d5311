// How to repeat the run: one command to copy, every option, versions.
import {command} from '../command.js';
import {element} from '../dom.js';
import {bytes, isNumber, plural, seconds} from '../format.js';
import {objectOf} from '../run.js';
import {facts, table} from '../table.js';
import {plain} from '../words.js';

const shown = (value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value));

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
      isNumber(result.ranks) && ['ran on', plural(result.ranks, 'process', 'processes')],
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
