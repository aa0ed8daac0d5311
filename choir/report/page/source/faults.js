// What went wrong, and when, from the keys of a document.
import {figure, isNumber} from './format.js';
import {listOf, objectOf, total} from './run.js';
import {Traces} from './traces.js';

// In the order of legends; colours are places in the palette.
const looks = {
  crashed: {colour: 1, symbol: 'diamond'},
  'given up': {colour: 0, symbol: 'triangle'},
  'cut off': {colour: 3, symbol: 'rect'},
  silent: {colour: 4, symbol: 'emptyCircle'},
  'joined late': {colour: 2, symbol: 'circle'},
  resumed: {colour: 6, symbol: 'rect'},
};
const unknown = {colour: 5, symbol: 'circle'};

export const lookOf = (what) => looks[what] ?? unknown;

// What happened in a list of faults, each once.
export function whatsOf(faults) {
  const found = new Set(faults.map(({what}) => String(what)));
  const known = Object.keys(looks).filter((what) => found.has(what));
  return [...known, ...[...found].filter((what) => !(what in looks))];
}

// [{at, until, unit, node, what, words}]; `at` is missing where the time is unknown, `node` where several nodes are meant.
export function faultsOf(run) {
  if (Array.isArray(run.result.faults))
    return run.result.faults.filter((fault) => fault !== null && typeof fault === 'object');
  const lost = listOf(run.result.lost_peers).map(({node, peer, round, reason}) => ({
    at: round,
    unit: 'round',
    node: peer,
    what: 'given up',
    words: `Node ${node} continued without node ${peer}, which ${reason}.`,
  }));
  return [...listOf(run.result.crashed).map((node) => crashOf(run, node)), ...lost];
}

function crashOf(run, node) {
  const traces = new Traces(run);
  const last = traces.byNode.get(node)?.at(-1)?.[traces.step];
  const known = isNumber(last) ? ` after ${traces.step} ${last}, the last one it recorded` : '';
  return {
    node,
    what: 'crashed',
    words: `Node ${node} crashed${known}. It left no model; means are over the other nodes.`,
  };
}

export const unitOf = ({unit}) => unit ?? 'round';
export const whoOf = ({node}) => (isNumber(node) ? `node ${node}` : 'several nodes');
export const timeOf = (fault, at = fault.at) => (unitOf(fault) === 's' ? `${figure(at)} s` : `${unitOf(fault)} ${at}`);

// The stretch of a run that is drawn, and when the run ended: if all faults happened early, the picture ends soon after them.
export function stretchOf({result}, faults, unit) {
  const last = faults.reduce((most, {at, until}) => Math.max(most, at, isNumber(until) ? until : at), 0);
  const whole = unit === 's' ? (result.time?.virtual_s ?? result.time?.total_s) : (result.sums ?? result.iterations);
  const end = Math.max(last, isNumber(whole) ? whole : 0);
  return {drawn: last > 0 && 4 * last < end ? 1.25 * last : end, end};
}

// What happened to messages that were not simply delivered.
const fates = [
  {name: 'lost', one: 'message was lost in transit', many: 'messages were lost in transit'},
  {name: 'sent_again', one: 'time a lost message was sent again', many: 'times a lost message was sent again'},
  {name: 'repeated', one: 'message arrived twice', many: 'messages arrived twice'},
  {
    name: 'discarded',
    one: 'message arrived at a node that had crashed or had not joined yet',
    many: 'messages arrived at nodes that had crashed or had not joined yet',
  },
];
// [{name, one, many, of, all}]: what happened, by sender and in total; null if the engine does not know.
export function messageFaultsOf(run) {
  if (run.result.message_faults === undefined) return null;
  const counts = objectOf(run.result.message_faults);
  return fates
    .map((fate) => ({...fate, of: listOf(counts[fate.name]), all: total(listOf(counts[fate.name]))}))
    .filter(({all}) => all > 0);
}

// Faults counted along time: [{from, counts: {what: number}}], in steps of 1, 2 or 5 times a power of ten.
const mostBins = 30;
export function binned(faults, end, whole) {
  const rough = Math.max(end / mostBins, whole ? 1 : Number.MIN_VALUE);
  const power = 10 ** Math.floor(Math.log10(rough));
  const width = power * [1, 2, 5, 10].find((step) => step * power >= rough * (1 - 1e-9));
  const place = (at) => Math.floor(at / width + 1e-9);
  const bins = Array.from({length: place(end) + 1}, (_, bin) => ({from: bin * width, counts: {}}));
  for (const {at, what} of faults) {
    const {counts} = bins[Math.max(place(at), 0)];
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return {width, bins};
}
