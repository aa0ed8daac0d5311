// Samples in the first components of a node's answer, or of one that stands for several, coloured by label.
import {axis, chart, grid, tip, tooltip} from '../chart.js';
import {element, select} from '../dom.js';
import {count, figure, isNumber, plural} from '../format.js';
import {legend, symbols} from '../legend.js';
import {listOf} from '../run.js';

const mostLabels = 30;

const pointsOf = (entry) => listOf(entry?.points).filter((point) => isNumber(point?.[0]) && isNumber(point?.[1]));
const nameOf = ({name, node}) => (typeof name === 'string' ? name : `node ${node}`);
const labelOf = (point) => (point[2] === undefined || point[2] === null ? '' : String(point[2]));

// In the order of numbers where they are numbers.
function labelsOf(entries) {
  const labels = [...new Set(entries.flatMap((entry) => pointsOf(entry).map(labelOf)))];
  return labels.sort((a, b) => a.localeCompare(b, 'en', {numeric: true}));
}

function series(points, labels, colours) {
  return labels.map((label, place) => ({
    type: 'scatter',
    data: points.filter((point) => labelOf(point) === label),
    symbol: symbols[place % symbols.length],
    symbolSize: 6,
    itemStyle: {color: colours.palette[place % colours.palette.length], opacity: 0.75},
  }));
}

// An entry with a name of its own is the only one, and nobody chooses it.
function words(embedding, entry, labels) {
  const shown = pointsOf(entry).length;
  const whose = typeof embedding.whose === 'string' && embedding.whose;
  return [
    typeof entry.name === 'string' && `As seen by ${entry.name}.`,
    isNumber(embedding.of) &&
      embedding.of > shown &&
      `${count(shown)} of ${plural(embedding.of, 'sample')}${whose ? ` of ${whose}` : ''} are shown.`,
    whose && 'The samples of other processes stayed with them.',
    labels.length > mostLabels && `${count(labels.length)} labels are too many to colour.`,
  ]
    .filter(Boolean)
    .join(' ');
}

export const embedding = {
  id: 'embedding',
  title: 'Samples in the components',
  applies: (run) => run.embedding !== null,
  render(run) {
    const data = run.embedding;
    const entries = data.nodes.filter((entry) => pointsOf(entry).length > 0);
    const labels = labelsOf(entries);
    const coloured = labels.length <= mostLabels ? labels : [labels[0]];
    const drawnAs = (points) => (labels.length <= mostLabels ? points : points.map(([x, y]) => [x, y, labels[0]]));
    const axes = listOf(data.axes).map(String);
    let entry = entries[0];
    const {control} = select(
      'As seen by',
      entries.map((entry, place) => ({value: String(place), words: nameOf(entry)})),
      (place) => {
        entry = entries[place];
        drawn.redraw();
      },
    );
    const drawn = chart({
      caption: `Samples along ${axes[0] ?? 'component 1'} and ${axes[1] ?? 'component 2'}`,
      wide: true,
      height: 420,
      above: element(
        'div',
        {class: 'controls'},
        entries.length > 1 && control,
        labels.some(Boolean) &&
          coloured.length > 1 &&
          legend(
            coloured.map((label, place) => ({
              words: label || 'no label',
              colour: place,
              symbol: symbols[place % symbols.length],
            })),
          ),
      ),
      option: (colours) => ({
        grid: grid(),
        tooltip: tooltip(colours, ({data: [x, y, label]}) =>
          tip(label !== undefined && label !== null && `label ${label}`, `${figure(x)}, ${figure(y)}`),
        ),
        xAxis: axis(colours, {
          name: axes[0] ?? 'component 1',
          scale: true,
          splitLine: {show: true, lineStyle: {color: colours.grid}},
        }),
        yAxis: axis(colours, {name: axes[1] ?? 'component 2', along: 'y', scale: true}),
        series: series(drawnAs(pointsOf(entry)), coloured, colours),
      }),
      note: words(data, entry, labels),
      table: () => ({
        caption: `Samples as seen by ${nameOf(entry)}`,
        columns: [
          {title: 'label'},
          {title: axes[0] ?? 'component 1', numeric: true},
          {title: axes[1] ?? 'component 2', numeric: true},
        ],
        rows: pointsOf(entry).map((point) => [labelOf(point) || '–', figure(point[0]), figure(point[1])]),
      }),
    });
    return [drawn.figure];
  },
};
