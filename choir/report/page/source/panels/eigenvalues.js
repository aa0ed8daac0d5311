// Eigenvalues, and how much of the variance the components explain, one by one and cumulatively.
import {axis, chart, grid, tip, tooltip, tooltipAt} from '../chart.js';
import {figure, percent} from '../format.js';
import {legend} from '../legend.js';
import {numbersOf} from '../run.js';

export const eigenvalues = {
  id: 'eigenvalues',
  title: 'Eigenvalues',
  applies: (run) => numbersOf(run.result.eigenvalues).length > 0,
  render(run) {
    const values = numbersOf(run.result.eigenvalues);
    const shares = numbersOf(run.result.explained_variance_ratio);
    let sum = 0;
    const together = shares.map((share) => (sum += share));
    const names = values.map((_, place) => String(place + 1));
    const rows = values.map((value, place) => [
      names[place],
      figure(value),
      percent(shares[place]),
      percent(together[place]),
    ]);
    return [spectrum(values, names), shares.length > 0 && explained(shares, together, names, rows)];
  },
};

function spectrum(values, names) {
  return chart({
    caption: 'Eigenvalue of each component',
    label: `from ${figure(values[0])} down to ${figure(values.at(-1))}`,
    option: (colours) => ({
      grid: grid(),
      tooltip: tooltip(colours, ({name, value}) => tip(`component ${name}`, `eigenvalue ${figure(value)}`)),
      xAxis: axis(colours, {name: 'component', type: 'category', data: names}),
      yAxis: axis(colours, {
        name: 'eigenvalue',
        along: 'y',
        axisLabel: {color: colours.soft, fontSize: 11, formatter: (value) => figure(value)},
      }),
      series: [{type: 'bar', data: values, barMaxWidth: 36, itemStyle: {color: colours.palette[0]}}],
    }),
    table: () => ({
      caption: 'Eigenvalues',
      columns: [{title: 'component'}, {title: 'eigenvalue', numeric: true}],
      rows: values.map((value, place) => [names[place], figure(value)]),
    }),
  }).figure;
}

function explained(shares, together, names, rows) {
  return chart({
    caption: 'Share of the variance explained',
    label: `${percent(together.at(-1), 1)} by all components together`,
    above: legend([
      {words: 'one component', colour: 0},
      {words: 'cumulative', colour: 1, symbol: 'line'},
    ]),
    option: (colours) => ({
      grid: grid(),
      tooltip: tooltipAt(colours, (place) => [
        `component ${names[place]}: ${percent(shares[place])}`,
        `cumulative: ${percent(together[place])}`,
      ]),
      xAxis: axis(colours, {name: 'component', type: 'category', data: names}),
      yAxis: axis(colours, {
        name: 'share of the variance',
        along: 'y',
        min: 0,
        axisLabel: {
          color: colours.soft,
          fontSize: 11,
          formatter: (value) => percent(value, together.at(-1) < 0.05 ? 1 : 0),
        },
      }),
      series: [
        {type: 'bar', data: shares, barMaxWidth: 36, itemStyle: {color: colours.palette[0]}},
        {
          type: 'line',
          data: together,
          symbolSize: 5,
          lineStyle: {width: 2.2, color: colours.palette[1]},
          itemStyle: {color: colours.palette[1]},
        },
      ],
    }),
    table: () => ({
      caption: 'Explained variance',
      rows,
      columns: [
        {title: 'component'},
        ...['eigenvalue', 'explained', 'cumulative'].map((title) => ({title, numeric: true})),
      ],
    }),
  }).figure;
}
