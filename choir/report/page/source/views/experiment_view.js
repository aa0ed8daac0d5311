// An experiment: its pictures, a chart of each quantity, the whole table.
import {axis, chart, grid, powers, tip, tooltip} from '../chart.js';
import {element} from '../dom.js';
import {Experiment} from '../experiment.js';
import {capitalised, figure, isNumber, seconds} from '../format.js';
import {legend, symbols} from '../legend.js';
import {facts, folded} from '../table.js';
import {plain} from '../words.js';
import {frame} from './frame.js';
import {showSections} from './sections.js';

const mostSeries = 21; // colours and symbols that can still be told apart

function spans(series, numeric, names, colours) {
  return {
    type: 'custom',
    silent: true,
    z: 1,
    data: series.flatMap(({points}, place) =>
      points
        .filter(({min, max}) => isNumber(min) && max > min)
        .map(({x, min, max}) => [numeric ? x : names.indexOf(String(x)), min, max, place]),
    ),
    renderItem: (_, api) => {
      const [x, low] = api.coord([api.value(0), api.value(1)]);
      const [, high] = api.coord([api.value(0), api.value(2)]);
      return {
        type: 'line',
        shape: {x1: x, y1: low, x2: x, y2: high},
        style: {stroke: colours.palette[api.value(3) % colours.palette.length], lineWidth: 1.4},
      };
    },
  };
}

function quantityChart(experiment, quantity) {
  const series = experiment.seriesOf(quantity).slice(0, mostSeries);
  const names = [...new Set(series.flatMap(({points}) => points.map(({x}) => String(x))))];
  const numeric = series.every(({points}) => points.every(({x}) => isNumber(x)));
  const means = series.flatMap(({points}) => points.map(({mean}) => mean));
  const wideRange = means.every((value) => value > 0) && Math.max(...means) > 100 * Math.min(...means);
  return chart({
    caption: `${capitalised(plain(quantity))} by ${plain(experiment.along)}: mean, and from the smallest to the largest repetition`,
    wide: true,
    height: 320,
    label: series
      .map(({name, points}) => `${name} from ${figure(points[0].mean)} to ${figure(points.at(-1).mean)}`)
      .join(', '),
    above: legend(
      series.map(({name}, place) => ({words: name, colour: place, symbol: symbols[place % symbols.length]})),
    ),
    option: (colours) => ({
      grid: grid(),
      tooltip: tooltip(colours, ({seriesName, data}) =>
        tip(seriesName, `${plain(experiment.along)} ${data[0]}`, `${plain(quantity)} ${figure(data[1])}`),
      ),
      xAxis: axis(colours, {
        name: plain(experiment.along),
        type: numeric ? 'value' : 'category',
        data: numeric ? undefined : names,
        scale: true,
      }),
      yAxis: axis(colours, {
        name: plain(quantity),
        along: 'y',
        ...(wideRange ? powers(means) : {scale: true}),
        axisLabel: {color: colours.soft, fontSize: 11, formatter: (value) => figure(value)},
      }),
      series: [
        ...series.map(({name, points}, place) => ({
          type: 'line',
          name,
          data: points.map(({x, mean}) => [numeric ? x : String(x), mean]),
          symbol: symbols[place % symbols.length],
          symbolSize: 8,
          lineStyle: {width: 2, color: colours.palette[place % colours.palette.length]},
          itemStyle: {color: colours.palette[place % colours.palette.length]},
        })),
        spans(series, numeric, names, colours),
      ],
    }),
    table: () => ({
      caption: plain(quantity),
      columns: [
        {title: 'series'},
        {title: experiment.along, numeric: true},
        ...['mean', 'min', 'max'].map((title) => ({title, numeric: true})),
      ],
      rows: series.flatMap(({name, points}) =>
        points.map(({x, mean, min, max}) => [name, x, figure(mean), figure(min), figure(max)]),
      ),
    }),
  }).figure;
}

// An image cannot run what an SVG may say.
const pictureOf = ({name, svg}) =>
  element(
    'figure',
    {class: 'wide'},
    element('figcaption', {}, String(name ?? 'picture')),
    element('img', {
      alt: String(name ?? 'picture'),
      class: 'picture',
      src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(String(svg))}`,
    }),
  );

const shown = (name, value) => (name === 'seconds' ? seconds(value) : String(value));

function panelsOf(experiment) {
  return [
    experiment.notes.length > 0 && {
      id: 'notes',
      title: 'To know beforehand',
      render: () => [
        element(
          'ul',
          {class: 'sentences'},
          experiment.notes.map((note) => element('li', {}, note)),
        ),
      ],
    },
    experiment.drawable && {
      id: 'quantities',
      title: 'Measured',
      render: () => experiment.quantities.map((quantity) => quantityChart(experiment, quantity)),
    },
    experiment.pictures.length > 0 && {
      id: 'pictures',
      title: 'Pictures',
      render: () => experiment.pictures.map(pictureOf),
    },
    experiment.rows.length > 0 && {
      id: 'table',
      title: 'The whole table',
      render: () => [
        folded(() => ({
          caption: experiment.id,
          columns: experiment.columns.map((title) => ({
            title,
            numeric: experiment.rows.some((row) => isNumber(row[experiment.columns.indexOf(title)])),
          })),
          rows: experiment.rows.map((row) => row.map((value) => (isNumber(value) ? figure(value, 6) : value))),
        })),
      ],
    },
    experiment.about.length > 0 && {
      id: 'about',
      title: 'How it was run',
      render: () => [facts(experiment.about.map(([name, value]) => [plain(name), shown(name, value)]))],
    },
  ].filter(Boolean);
}

export function showExperiment(document) {
  const experiment = new Experiment(document);
  const panels = panelsOf(experiment);
  frame({
    title: experiment.id,
    subtitle: experiment.title,
    footer: 'Made by choir from the experiment’s table. This file needs no network and asks for none.',
    panels,
  });
  showSections(panels);
}
