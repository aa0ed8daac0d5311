// How labels and clusters, or classes and predictions, fall together: the counts of a document, and a table that is shaded
// by the share of its row.
import {element} from './dom.js';
import {count, isNumber, percent} from './format.js';
import {listOf, objectOf, total} from './run.js';

const darkest = 55; // per cent of the colour, so that the figure on it can be read in light and dark
const mostFigures = 12; // columns whose figures still fit into a small table

const singular = {classes: 'class'};
const one = (words) => singular[words] ?? words.replace(/s$/, '');

// Clusters have no order of their own: each row takes the column that has most of it, the largest counts first.
function columnOrder(counts, columns) {
  const pairs = counts
    .flatMap((row, r) => row.map((value, c) => ({r, c, value})))
    .sort((a, b) => b.value - a.value || a.r - b.r || a.c - b.c);
  const columnOf = new Map();
  const taken = new Set();
  for (const {r, c} of pairs) {
    if (columnOf.has(r) || taken.has(c)) continue;
    columnOf.set(r, c);
    taken.add(c);
  }
  const matched = counts.map((_, r) => columnOf.get(r)).filter((c) => c !== undefined);
  return [...matched, ...columns.map((_, c) => c).filter((c) => !taken.has(c))];
}

const isTable = (counts, rows, columns) =>
  rows.length > 0 &&
  columns.length > 0 &&
  counts.length === rows.length &&
  counts.every((row) => Array.isArray(row) && row.length === columns.length && row.every(isNumber));

// {rows, columns, counts, rowsAre, columnsAre, note}; nothing where a document has none.
export function confusionOf(run) {
  const data = objectOf(run.result.confusion);
  const [rows, columns] = [listOf(data.rows).map(String), listOf(data.columns).map(String)];
  const counts = listOf(data.counts);
  if (!isTable(counts, rows, columns)) return null;
  const columnsAre = String(data.columns_are ?? 'clusters');
  const order = columnsAre === 'clusters' ? columnOrder(counts, columns) : columns.map((_, place) => place);
  return {
    rows,
    columns: order.map((place) => columns[place]),
    counts: counts.map((row) => order.map((place) => row[place])),
    rowsAre: String(data.rows_are ?? 'labels'),
    columnsAre,
    note: typeof data.note === 'string' ? data.note : '',
  };
}

// What the table says in one sentence.
export function confusionWords({rows, columns, counts, columnsAre}) {
  const all = total(counts.flat());
  if (columnsAre === 'clusters') {
    const largest = total(columns.map((_, c) => Math.max(...counts.map((row) => row[c]))));
    return `${percent(largest / all, 1)} of ${count(all)} samples have the most frequent label of their cluster.`;
  }
  const agree = total(counts.map((row, r) => row[columns.indexOf(rows[r])] ?? 0));
  return `${count(agree)} of ${count(all)} predictions (${percent(agree / all, 1)}) are correct.`;
}

const shade = (share) =>
  `background:color-mix(in srgb, var(--c0) ${Math.round(darkest * share)}%, transparent)`;

export function confusionTable(data, {small = false, caption}) {
  const {rows, columns, counts, rowsAre, columnsAre} = data;
  const figures = !small || columns.length <= mostFigures;
  const cell = (value, r, c) =>
    element(
      'td',
      {
        style: shade(value / (total(counts[r]) || 1)),
        title: `${one(rowsAre)} ${rows[r]}, ${one(columnsAre)} ${columns[c]}: ${count(value)}`,
      },
      element('span', {class: figures ? null : 'unseen'}, count(value)),
    );
  return element(
    'div',
    {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption},
    element(
      'table',
      {class: small ? 'confusion small' : 'confusion'},
      element('caption', {class: small ? 'unseen' : null}, caption),
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          element('th', {scope: 'col', class: 'corner'}, `${one(rowsAre)} \\ ${one(columnsAre)}`),
          columns.map((name) => element('th', {scope: 'col'}, name)),
        ),
      ),
      element(
        'tbody',
        {},
        rows.map((name, r) =>
          element(
            'tr',
            {},
            element('th', {scope: 'row'}, name),
            counts[r].map((value, c) => cell(value, r, c)),
          ),
        ),
      ),
    ),
  );
}
