// What nodes that learned from samples of two features predict over the plane: a class, or a value, in every cell of a
// grid. It contains no sample.
import {axis, chart, grid, tip, tooltip} from '../chart.js';
import {colourAt, gradient, Scale} from '../colour_scale.js';
import {element, select} from '../dom.js';
import {figure, percent} from '../format.js';
import {legend} from '../legend.js';
import {listOf, numbersOf, objectOf} from '../run.js';
import {panelOf} from './panel.js';

const paletteSize = 7;

const isRange = (range) => numbersOf(range).length === 2 && range[0] < range[1];

function decisionOf(run) {
  const data = objectOf(run.result.decision);
  const size = data.columns * data.rows;
  if (!(size > 0) || !isRange(data.x) || !isRange(data.y)) return null;
  const entries = listOf(data.nodes).filter((entry) => numbersOf(entry?.cells).length === size);
  if (entries.length === 0) return null;
  return {...data, entries, classes: listOf(data.classes), axes: listOf(data.axes).map(String)};
}

// Neighbouring cells of a row with the same answer are one rectangle: [left, low, right, high, answer].
function rectangles({columns, rows, x, y}, cells) {
  const width = (x[1] - x[0]) / columns;
  const height = (y[1] - y[0]) / rows;
  const found = [];
  for (let row = 0; row < rows; ++row) {
    for (let from = 0, to = 1; from < columns; from = to++) {
      const answer = cells[row * columns + from];
      while (to < columns && cells[row * columns + to] === answer) ++to;
      const low = y[0] + row * height;
      found.push([x[0] + from * width, low, x[0] + to * width, low + height, answer]);
    }
  }
  return found;
}

// On whole pixels: the background would shine through between fractional ones.
function drawRectangle(colourOf) {
  return (_, api) => {
    const [left, low] = api.coord([api.value(0), api.value(1)]).map(Math.round);
    const [right, high] = api.coord([api.value(2), api.value(3)]).map(Math.round);
    return {
      type: 'rect',
      shape: {x: left, y: high, width: right - left, height: low - high},
      style: {fill: colourOf(api.value(4))},
    };
  };
}

const planeAxis = (colours, name, [min, max], along) =>
  axis(colours, {
    name,
    min,
    max,
    along,
    axisLabel: {color: colours.soft, fontSize: 11, hideOverlap: true, formatter: (value) => figure(value)},
  });

// {words of an answer, its colour, the key to the colours}
function meaningOf({classes, entries}) {
  if (classes.length === 0) {
    const scale = new Scale(
      entries.flatMap(({cells}) => cells),
      false,
    );
    return {
      words: (value) => figure(value),
      colourOf: () => (value) => colourAt(scale.share(value)),
      key: element(
        'div',
        {class: 'colourbar'},
        element('span', {}, figure(scale.low)),
        element('span', {class: 'ramp', style: `background:${gradient}`, 'aria-hidden': 'true'}),
        element('span', {}, figure(scale.high)),
        element('span', {class: 'unit'}, 'value'),
      ),
    };
  }
  const few = classes.length <= paletteSize;
  return {
    words: (place) => `class ${classes[place]}`,
    colourOf: (colours) => (place) => (few ? colours.palette[place] : colourAt(place / (classes.length - 1))),
    key: few
      ? legend(classes.map((label, place) => ({words: `class ${label}`, colour: place})))
      : element('p', {class: 'note'}, `Classes ${classes[0]} to ${classes.at(-1)}, from dark to light.`),
  };
}

function shares({classes}, cells) {
  return classes.map((label, place) => ({
    label,
    share: cells.filter((cell) => cell === place).length / cells.length,
  }));
}

function summaryOf(data, {node, cells}) {
  const what =
    data.classes.length > 0
      ? shares(data, cells)
          .map(({label, share}) => `class ${label} in ${percent(share, 0)}`)
          .join(', ')
      : `values from ${figure(Math.min(...cells))} to ${figure(Math.max(...cells))}`;
  return `node ${node} predicts ${what}${data.classes.length > 0 ? ' of the plane' : ''}`;
}

function tableOf(data) {
  if (data.classes.length > 0)
    return {
      caption: 'Share of the plane that each node assigns to each class',
      columns: [{title: 'node'}, ...data.classes.map((label) => ({title: `class ${label}`, numeric: true}))],
      rows: data.entries.map(({node, cells}) => [
        `node ${node}`,
        ...shares(data, cells).map(({share}) => percent(share, 1)),
      ]),
    };
  return {
    caption: 'Values over the plane',
    columns: [{title: 'node'}, {title: 'smallest', numeric: true}, {title: 'largest', numeric: true}],
    rows: data.entries.map(({node, cells}) => [
      `node ${node}`,
      figure(Math.min(...cells)),
      figure(Math.max(...cells)),
    ]),
  };
}

export const decision = panelOf('decision', 'Predictions over the plane', decisionOf, (data, run) => {
  const [first = 'feature 1', second = 'feature 2'] = data.axes;
  const {words, colourOf, key} = meaningOf(data);
  let entry = data.entries[0];
  const {control} = select(
    'Predictions of',
    data.entries.map(({node}, place) => ({value: String(place), words: `node ${node}`})),
    (place) => {
      entry = data.entries[place];
      drawn.redraw();
    },
  );
  const drawn = chart({
    caption: `Predictions over ${first} and ${second}`,
    wide: true,
    height: 420,
    label: summaryOf(data, entry),
    above: element('div', {class: 'controls'}, data.entries.length > 1 && control, key),
    note: [
      `The model’s predictions on a grid of ${data.columns} by ${data.rows} points`,
      'that covers the nodes’ dictionaries. No sample is shown.',
      run.nodes > data.entries.length ? `${data.entries.length} of ${run.nodes} nodes can be chosen.` : '',
    ].join(' '),
    option: (colours) => ({
      grid: grid(),
      tooltip: tooltip(colours, ({value: [left, low, right, high, answer]}) =>
        tip(
          words(answer),
          `${first} ${figure(left)} to ${figure(right)}`,
          `${second} ${figure(low)} to ${figure(high)}`,
        ),
      ),
      xAxis: planeAxis(colours, first, data.x, 'x'),
      yAxis: planeAxis(colours, second, data.y, 'y'),
      series: [
        {
          type: 'custom',
          renderItem: drawRectangle(colourOf(colours)),
          data: rectangles(data, entry.cells),
          encode: {x: [0, 2], y: [1, 3]},
        },
      ],
    }),
    table: () => tableOf(data),
  });
  return [drawn.figure];
});
