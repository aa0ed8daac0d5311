// The options in which runs differ; those that are equal are folded away.
import {element} from '../dom.js';
import {plural} from '../format.js';
import {comparedOptions} from '../options.js';
import {folded, table} from '../table.js';

const optionColumns = (runs) => [{title: 'option'}, ...runs.map((run) => ({title: run.name}))];
const optionRows = (options) => options.map(({name, values}) => [name, ...values]);

function foldedOptions(runs, options, words) {
  if (options.length === 0) return null;
  return folded(() => ({caption: words, columns: optionColumns(runs), rows: optionRows(options)}), words);
}

export const options = {
  id: 'options',
  title: 'Options that differ',
  applies: (runs) => Object.values(comparedOptions(runs)).flat().length > 0,
  render(runs) {
    const {differ, same, partial} = comparedOptions(runs);
    const methods = runs.map((run) => run.method);
    const rows = [...(new Set(methods).size > 1 ? [['method', ...methods]] : []), ...optionRows(differ)];
    return [
      rows.length > 0
        ? table({caption: 'Options whose values differ between the runs', columns: optionColumns(runs), rows})
        : element('p', {}, 'All options that the runs have in common are equal.'),
      foldedOptions(runs, same, `${plural(same.length, 'option is', 'options are')} equal in all runs`),
      foldedOptions(
        runs,
        partial,
        `${plural(partial.length, 'option exists', 'options exist')} only in some of the runs`,
      ),
    ];
  },
};
