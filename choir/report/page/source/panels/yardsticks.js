// Similarity to the central solution, component by component, beside baselines with less or no communication.
import {axis, chart, grid, tip, tooltip} from '../chart.js';
import {similarity} from '../format.js';
import {legend} from '../legend.js';
import {numbersOf} from '../run.js';
import {table} from '../table.js';
import {qualityOf, yardsticks as known} from '../words.js';
import {panelOf} from './panel.js';

// From the yardsticks to the answer. Names that this page does not know come first.
const order = [
  'local',
  'gather_own',
  'similarity_own',
  'oracle',
  'gather_neighborhood',
  'oracle_neighborhood',
  'similarity_neighborhood',
  'similarity_shared',
];
const similarities = (run) =>
  Object.entries(run.qualityByComponent)
    .filter(([name, values]) => (known.includes(name) || name.startsWith('similarity')) && numbersOf(values).length > 0)
    .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));

function byComponent(measured, names) {
  return chart({
    caption: 'Similarity to the solution of one machine with all samples, mean over nodes',
    wide: true,
    height: 300,
    label: measured
      .map(([name, values]) => `${qualityOf(name).name} ${similarity(values[0])} at the first component`)
      .join(', '),
    above: legend(
      measured.map(([name]) => ({
        words: qualityOf(name).name,
        colour: qualityOf(name).colour,
        symbol: qualityOf(name).dashed ? 'dashed' : 'line',
      })),
    ),
    option: (colours) => ({
      grid: grid(),
      tooltip: tooltip(
        colours,
        (hits) =>
          tip(`component ${hits[0].name}`, ...hits.map(({seriesName, value}) => `${seriesName}: ${similarity(value)}`)),
        'axis',
      ),
      xAxis: axis(colours, {name: 'component', type: 'category', data: names}),
      yAxis: axis(colours, {name: 'similarity', along: 'y', scale: true, max: 1}),
      series: measured.map(([name, values]) => {
        const {name: words, colour, dashed} = qualityOf(name);
        return {
          type: 'line',
          name: words,
          data: values,
          symbolSize: 6,
          lineStyle: {width: dashed ? 1.6 : 2.6, type: dashed ? 'dashed' : 'solid', color: colours.palette[colour]},
          itemStyle: {color: colours.palette[colour]},
        };
      }),
    }),
  }).figure;
}

export const yardsticks = panelOf('yardsticks', 'Similarity and yardsticks', similarities, (measured) => {
  const names = measured[0][1].map((_, place) => String(place + 1));
  return [
    byComponent(measured, names),
    table({
      caption: 'Similarity by component, mean over nodes (1 means identical to the central solution)',
      columns: [{title: 'component'}, ...measured.map(([name]) => ({title: qualityOf(name).name, numeric: true}))],
      rows: names.map((name, place) => [name, ...measured.map(([, values]) => similarity(values[place]))]),
    }),
  ];
});
