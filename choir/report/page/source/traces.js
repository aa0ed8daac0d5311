// What nodes recorded along the way, out of the lines of metrics.jsonl: a line has a node, a step and some numbers.
import {isNumber} from './format.js';
import {mean} from './run.js';

const steps = ['iteration', 'window', 'round'];
const distances = {samples: 'samples of a node', sent: 'messages a node has sent'};
const notMeasured = new Set(['node', 'stage', 'samples', 'sent', 'attempts', 'answered', 'silent', 'refused', ...steps]);

export class Traces {
  constructor(run) {
    const stage = run.metrics.at(-1)?.stage;
    const lines = run.metrics.filter((line) => line.stage === stage && isNumber(line.node));
    this.step = steps.find((name) => lines.some((line) => isNumber(line[name])));
    const distance = Object.keys(distances).find((name) => lines.some((line) => isNumber(line[name])));
    this.along = distance ?? this.step;
    this.alongWords = distances[distance] ?? this.step;
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
    const names = new Set(lines.flatMap((line) => Object.keys(line)));
    return [...names].filter((name) => !notMeasured.has(name) && lines.some((line) => isNumber(line[name])));
  }

  get empty() { return this.names.length === 0 || this.stepNumbers.length < 2; }
  get nodes() { return [...this.byNode.keys()].sort((a, b) => a - b); }

  // [[x, y], ...]
  of(node, name) {
    return this.byNode.get(node).filter((line) => isNumber(line[name])).map((line) => [line[this.along], line[name]]);
  }

  // [{x, mean, low, high, nodes}], where at least half of the nodes still report: those that are done say nothing.
  summary(name) {
    const bySteps = new Map(this.stepNumbers.map((step) => [step, []]));
    for (const own of this.byNode.values()) {
      for (const line of own) if (isNumber(line[name])) bySteps.get(line[this.step])?.push(line);
    }
    return [...bySteps.values()].filter((lines) => lines.length > 0 && 2 * lines.length >= this.byNode.size).map((lines) => {
      const values = lines.map((line) => line[name]);
      return {x: mean(lines.map((line) => line[this.along])), mean: mean(values), nodes: lines.length,
              low: values.reduce((a, b) => Math.min(a, b)), high: values.reduce((a, b) => Math.max(a, b))};
    });
  }

  // What a node had recorded last at a step; nothing before its first record.
  at(node, name, step) {
    let value;
    for (const line of this.byNode.get(node) ?? []) {
      if (line[this.step] > step) break;
      if (isNumber(line[name])) value = line[name];
    }
    return value;
  }
}

// At most so many, evenly out of all.
export function thinned(values, most) {
  if (values.length <= most) return values;
  return Array.from({length: most}, (_, place) => values[Math.floor((place * values.length) / most)]);
}
