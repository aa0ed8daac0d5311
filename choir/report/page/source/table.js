// Tables, and the table behind every chart. Its rows are made when somebody opens it: ten thousand nodes make a long table.
import {element} from './dom.js';
import {count} from './format.js';

const most = 500;

// value: text, or {words, look} where the look is a class of the style.
const cell = (value, column, index) =>
  element(
    index === 0 ? 'th' : 'td',
    {
      scope: index === 0 ? 'row' : null,
      class: [column.numeric && 'number', value?.look].filter(Boolean).join(' ') || null,
    },
    String(value?.words ?? value ?? '–'),
  );

// columns: [{title, numeric}]; rows: cells as above. The first column names its row.
export function table({caption, columns, rows}) {
  const shown = rows.slice(0, most);
  const words = rows.length > most ? `${caption} (the first ${count(most)} of ${count(rows.length)} rows)` : caption;
  return element(
    'div',
    {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': words},
    element(
      'table',
      {},
      element('caption', {}, words),
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          columns.map((column) => element('th', {scope: 'col', class: column.numeric ? 'number' : null}, column.title)),
        ),
      ),
      element(
        'tbody',
        {},
        shown.map((row) =>
          element(
            'tr',
            {},
            row.map((value, index) => cell(value, columns[index], index)),
          ),
        ),
      ),
    ),
  );
}

// make: gives the description above, or several, for the moment when the table is opened.
export function folded(make, words = 'Show as a table') {
  const details = element('details', {class: 'figures'}, element('summary', {}, words));
  details.addEventListener('toggle', () => {
    if (details.open) details.replaceChildren(details.firstChild, ...[make()].flat().map(table));
  });
  return details;
}

// Pairs of a name and what it is.
export function facts(pairs) {
  return element(
    'dl',
    {class: 'facts'},
    pairs.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
  );
}
