// What nodes recorded during the run, from the lines of metrics.jsonl: a line has a node, a step and some numbers.
import {isNumber} from './format.js';
import {mean} from './run.js';

const steps = ['iteration', 'window', 'round'];
// Axes on which nodes compare better than by steps. Not `samples`: a stream may end before the last exchanges.
const distances = {sent: 'messages sent per node'};
// What nodes recorded of samples that they predicted before they learned from them.
export const isProgressive = (name) => name.startsWith('progressive_') || name === 'recent_loss';
const quality = ['similarity', 'error']; // shown before what nodes know of themselves
const mostPlaces = 300;
const notMeasured = new Set([
  'node',
  'stage',
  'samples',
  'sent',
  'attempts',
  'answered',
  'silent',
  'refused',
  ...steps,
]);

export class Traces {
  // along: a key to use instead of steps, if it takes several values.
  constructor(run, along = null) {
    const stage = run.metrics.at(-1)?.stage;
    const lines = run.metrics.filter((line) => line.stage === stage && isNumber(line.node));
    this.step = steps.find((name) => lines.some((line) => isNumber(line[name])));
    const distance = Object.keys(distances).find((name) => lines.some((line) => isNumber(line[name])));
    const varies = new Set(lines.map((line) => line[along]).filter(isNumber)).size > 1;
    this.along = varies ? along : (distance ?? this.step);
    this.alongWords = varies ? `${along} per node` : (distances[distance] ?? this.step);
    this.byNode = new Map();
    for (const line of lines) this.#add(line);
    for (const own of this.byNode.values()) own.sort((a, b) => a[this.step] - b[this.step]);
    this.names = this.#measured(lines);
    this.stepNumbers = [...new Set(lines.map((line) => line[this.step]))].filter(isNumber).sort((a, b) => a - b);
  }

  #add(line) {
    if (!this.byNode.has(line.node)) this.byNode.set(line.node, []);
    this.byNode.get(line.node).push(line);
  }

  #measured(lines) {
    if (!this.step) return [];
    const recorded = new Set(lines.flatMap((line) => Object.keys(line)));
    const names = new Set([...quality.filter((name) => recorded.has(name)), ...recorded]);
    return [...names].filter((name) => !notMeasured.has(name) && lines.some((line) => isNumber(line[name])));
  }

  get empty() {
    return this.names.length === 0 || this.stepNumbers.length < 2;
  }
  get nodes() {
    return [...this.byNode.keys()].sort((a, b) => a - b);
  }

  // [[x, y], ...]
  of(node, name) {
    return this.byNode
      .get(node)
      .filter((line) => isNumber(line[name]))
      .map((line) => [line[this.along], line[name]]);
  }

  // [{x, mean, low, high, nodes}] over the nodes that have recorded something so far, starting where at least half of them
  // have. A node that is done keeps its last value.
  summary(name) {
    const own = this.nodes.map((node) => this.of(node, name)).filter((points) => points.length > 0);
    const places = new Array(own.length).fill(-1);
    const found = [];
    for (const x of thinned(
      [...new Set(own.flat().map((point) => point[0]))].sort((a, b) => a - b),
      mostPlaces,
    )) {
      const values = own
        .map((points, line) => {
          while (points[places[line] + 1]?.[0] <= x) ++places[line];
          return points[places[line]]?.[1];
        })
        .filter(isNumber);
      if (2 * values.length < own.length) continue;
      found.push({
        x,
        mean: mean(values),
        low: values.reduce((a, b) => Math.min(a, b)),
        high: values.reduce((a, b) => Math.max(a, b)),
        nodes: values.length,
      });
    }
    return found;
  }

  // The last value that a node had recorded by a step; undefined before its first record.
  at(node, name, step) {
    let value;
    for (const line of this.byNode.get(node) ?? []) {
      if (line[this.step] > step) break;
      if (isNumber(line[name])) value = line[name];
    }
    return value;
  }
}

// At most `most` values, evenly spread, including the first and the last.
export function thinned(values, most) {
  if (values.length <= most) return values;
  return Array.from({length: most}, (_, place) => values[Math.round((place * (values.length - 1)) / (most - 1))]);
}
