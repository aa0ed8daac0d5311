// Which lines of metrics.jsonl a page lacks, in words; null if it has all of them.
import {count, isNumber} from './format.js';

export function thinnedWords({metricsShown: {lines, of}}) {
  if (!isNumber(lines) || !isNumber(of)) return null;
  return `The page has ${count(lines)} of ${count(of)} recorded lines, spread over nodes and steps; metrics.jsonl has all of them.`;
}

export const cutWords = ({metricsCut}) =>
  metricsCut ? 'The last line of metrics.jsonl is incomplete and was left out.' : null;
