// What a page lacks of the lines of metrics.jsonl, in words; nothing if it has them all.
import {count, isNumber} from './format.js';

export function thinnedWords({metricsShown: {lines, of}}) {
  if (!isNumber(lines) || !isNumber(of)) return null;
  return `The page has ${count(lines)} of ${count(of)} recorded lines, spread over nodes and steps; metrics.jsonl has them all.`;
}

export const cutWords = ({metricsCut}) =>
  metricsCut ? 'The last line of metrics.jsonl was not written to its end, and is left out.' : null;
