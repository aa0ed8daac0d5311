// The options of runs: how a value is shown, and in which options runs differ.
import {figure} from './format.js';
import {objectOf} from './run.js';

// Where a run goes and how it is watched: these options differ between any two runs and change no result.
const aboutOutput = new Set(['out', 'report', 'watch', 'quiet', 'force']);

// Options are written as in TOML, where text stands in quotes.
export function optionWords(value) {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return String(value).replace(/^'([^']*)'$/, '$1').replace(/^"([^"\\]*)"$/, '$1');
}

// What an option was set to, and what the run made of it where that is something else ("auto").
function used({result}, name) {
  const asked = optionWords(objectOf(result.options)[name]);
  const resolved = objectOf(result.resolved)[name];
  if (resolved === undefined || resolved === null) return asked;
  const words = optionWords(resolved);
  if (words === asked || Number(words) === Number(asked)) return asked;
  return `${asked} (${Number.isFinite(Number(words)) ? figure(Number(words), 6) : words})`;
}

const has = ({result}, name) => objectOf(result.options)[name] !== undefined;
const allSame = (values) => new Set(values).size === 1;

// [{name, values: [one per run, null where a run has no such option]}], in three lists: options that differ between runs
// that have them, options that are the same in all runs, and options that only some runs have.
export function comparedOptions(runs) {
  const names = [...new Set(runs.flatMap(({result}) => Object.keys(objectOf(result.options))))];
  const rows = names
    .filter((name) => !aboutOutput.has(name))
    .map((name) => ({name, values: runs.map((run) => (has(run, name) ? used(run, name) : null))}));
  const known = ({values}) => values.filter((value) => value !== null);
  const differ = rows.filter((row) => !allSame(known(row)));
  const rest = rows.filter((row) => allSame(known(row)));
  return {
    differ,
    same: rest.filter((row) => known(row).length === runs.length),
    partial: rest.filter((row) => known(row).length < runs.length),
  };
}
