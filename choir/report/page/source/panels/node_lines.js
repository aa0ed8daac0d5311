// What nodes recorded of one metric: each node is a thin line, the mean a thick one.
import {axis, chart, grid, powers, tip, tooltip} from '../chart.js';
import {element} from '../dom.js';
import {capitalised, count, figure, plural} from '../format.js';
import {legend} from '../legend.js';
import {thinnedWords} from '../recorded.js';
import {thinned} from '../traces.js';
import {metricOf} from '../words.js';

const mostLines = 60;

const positive = (points, logarithmic) => (logarithmic ? points.filter(([, y]) => y > 0) : points);

function lines(traces, name, colours, logarithmic) {
  const thin = thinned(traces.nodes, mostLines).map((node) => ({
    type: 'line',
    data: positive(traces.of(node, name), logarithmic),
    showSymbol: false,
    silent: true,
    lineStyle: {width: 1, color: colours.palette[0], opacity: colours.faint},
  }));
  const thick = {
    type: 'line',
    data: positive(
      traces.summary(name).map(({x, mean}) => [x, mean]),
      logarithmic,
    ),
    showSymbol: false,
    z: 5,
    lineStyle: {width: 2.6, color: colours.palette[traces.nodes.length > 1 ? 1 : 0]},
  };
  return traces.nodes.length > 1 ? [...thin, thick] : [thick];
}

function tipOf(summary, words, along) {
  return (hits) => {
    const x = hits[0]?.axisValue;
    const nearest = summary.reduce((best, at) => (Math.abs(at.x - x) < Math.abs(best.x - x) ? at : best), summary[0]);
    return tip(
      `${along}: ${figure(nearest.x)}`,
      `${words.name}, mean: ${figure(nearest.mean)}`,
      nearest.nodes > 1 && `nodes: ${figure(nearest.low)} to ${figure(nearest.high)}`,
    );
  };
}

function tableOf(summary, words, along) {
  return () => ({
    caption: `${capitalised(words.is)}, over the nodes that have recorded it so far`,
    columns: [along, 'mean', 'smallest', 'largest', 'nodes'].map((title) => ({title, numeric: true})),
    rows: summary.map(({x, mean, low, high, nodes}) => [
      figure(x),
      figure(mean),
      figure(low),
      figure(high),
      count(nodes),
    ]),
  });
}

// null where nobody recorded it. `rest`: for chart().
export function nodeLines(traces, name, rest = {}) {
  const words = metricOf(name);
  const summary = traces.summary(name);
  if (summary.length === 0) return null;
  const logarithmic = words.scale === 'log' && summary.some(({mean}) => mean > 0);
  const {figure: drawn} = chart({
    caption: `${capitalised(words.name)}: ${words.is}`,
    label: `by ${traces.alongWords}, mean over nodes from ${figure(summary[0].mean)} to ${figure(summary.at(-1).mean)}`,
    option: (colours) => ({
      grid: grid(),
      tooltip: tooltip(colours, tipOf(summary, words, traces.alongWords), 'axis'),
      xAxis: axis(colours, {name: traces.alongWords, min: 'dataMin', max: 'dataMax'}),
      yAxis: axis(colours, {
        name: words.name,
        along: 'y',
        ...(logarithmic ? powers(summary.flatMap(({low, high}) => [low, high])) : {scale: true}),
        axisLabel: {color: colours.soft, fontSize: 11, formatter: (value) => figure(value)},
      }),
      series: lines(traces, name, colours, logarithmic),
    }),
    table: tableOf(summary, words, traces.alongWords),
    ...rest,
  });
  return drawn;
}

export const linesLegend = (traces) =>
  traces.nodes.length > 1 &&
  legend([
    {words: 'one node', colour: 0, symbol: 'thin'},
    {words: 'mean over nodes', colour: 1, symbol: 'line'},
  ]);

// Which nodes and lines are not drawn.
export function linesNote(run, traces) {
  const recorded = traces.nodes.length;
  const words = [
    recorded < run.nodes && `The page has the records of ${count(recorded)} of ${count(run.nodes)} nodes.`,
    thinnedWords(run),
    recorded > mostLines &&
      `${mostLines} of the ${plural(recorded, 'recorded node')} are drawn as lines; means are over all recorded nodes.`,
  ].filter(Boolean);
  return words.length > 0 && element('p', {class: 'note'}, words.join(' '));
}
