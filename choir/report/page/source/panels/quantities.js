// What an experiment measured: lines over a numeric setting, bars over a setting in words, and a table for quantities that
// were measured at one setting only.
import {axis, chart, grid, powers, tip, tooltip} from '../chart.js';
import {capitalised, figure, isNumber} from '../format.js';
import {legend, paletteSize, symbols} from '../legend.js';
import {table} from '../table.js';
import {plain} from '../words.js';

const mostSeries = 21; // colours and symbols that can still be told apart

const colourOf = (colours, place) => colours.palette[place % colours.palette.length];
const barSymbol = (place) => (place >= paletteSize ? 'striped' : 'rect');
const repeated = ({min, max}) => isNumber(min) && max > min;

// From the smallest to the largest repetition.
function spans(series, colours) {
  return {
    type: 'custom',
    silent: true,
    z: 1,
    data: series.flatMap(({points}, place) => points.filter(repeated).map(({x, min, max}) => [x, min, max, place])),
    renderItem: (_, api) => {
      const [x, low] = api.coord([api.value(0), api.value(1)]);
      const [, high] = api.coord([api.value(0), api.value(2)]);
      return {
        type: 'line',
        shape: {x1: x, y1: low, x2: x, y2: high},
        style: {stroke: colourOf(colours, api.value(3)), lineWidth: 1.4},
      };
    },
  };
}

function lines(series, colours) {
  const drawn = series.map(({name, points}, place) => ({
    type: 'line',
    name,
    data: points.map(({x, mean}) => [x, mean]),
    symbol: symbols[place % symbols.length],
    symbolSize: 8,
    lineStyle: {width: 2, color: colourOf(colours, place)},
    itemStyle: {color: colourOf(colours, place)},
  }));
  return [...drawn, spans(series, colours)];
}

// Bars have no symbols: when the colours repeat, the bars are striped.
const stripesOf = (colours, place) =>
  place >= colours.palette.length
    ? {symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [3, 4], rotation: -Math.PI / 4, color: colours.surface}
    : 'none';

const bars = (series, colours) =>
  series.map(({name, points}, place) => ({
    type: 'bar',
    name,
    barMaxWidth: 40,
    data: points.map(({x, mean}) => [String(x), mean]),
    itemStyle: {color: colourOf(colours, place), decal: stripesOf(colours, place)},
  }));

// Powers of ten where values differ that much; bars have to start at 0.
function range(series, numeric) {
  const means = series.flatMap(({points}) => points.map(({mean}) => mean));
  if (!numeric) return {};
  const wide = means.every((value) => value > 0) && Math.max(...means) > 100 * Math.min(...means);
  return wide ? powers(means) : {scale: true};
}

function tableOf(experiment, quantity, series) {
  const numeric = (title) => ({title, numeric: true});
  return {
    caption: plain(quantity),
    columns: [{title: 'series'}, numeric(experiment.along), ...['mean', 'min', 'max'].map(numeric)],
    rows: series.flatMap(({name, points}) =>
      points.map(({x, mean, min, max}) => [name, x, figure(mean), figure(min), figure(max)]),
    ),
  };
}

function quantityChart(experiment, quantity, series) {
  const along = plain(experiment.along);
  const numeric = series.every(({points}) => points.every(({x}) => isNumber(x)));
  const names = [...new Set(series.flatMap(({points}) => points.map(({x}) => String(x))))];
  const spread = numeric && series.some(({points}) => points.some(repeated));
  return chart({
    caption: `${capitalised(plain(quantity))}, by ${along}${spread ? '; bars: smallest to largest repetition' : ''}`,
    wide: true,
    height: 320,
    label: series
      .map(({name, points}) => `${name} from ${figure(points[0].mean)} to ${figure(points.at(-1).mean)}`)
      .join(', '),
    above: legend(
      series.map(({name}, place) => ({
        words: name,
        colour: place,
        symbol: numeric ? symbols[place % symbols.length] : barSymbol(place),
      })),
    ),
    option: (colours) => ({
      grid: grid(),
      tooltip: tooltip(colours, ({seriesName, data}) =>
        tip(seriesName, `${along} ${data[0]}`, `${plain(quantity)} ${figure(data[1])}`),
      ),
      xAxis: axis(colours, {name: along, ...(numeric ? {scale: true} : {type: 'category', data: names})}),
      yAxis: axis(colours, {
        name: plain(quantity),
        along: 'y',
        ...range(series, numeric),
        axisLabel: {color: colours.soft, fontSize: 11, formatter: (value) => figure(value)},
      }),
      series: numeric ? lines(series, colours) : bars(series, colours),
    }),
    table: () => tableOf(experiment, quantity, series),
  }).figure;
}

// The longer list goes down, the shorter one across.
function singles(experiment, measured) {
  const names = [...new Set(measured.flatMap(({series}) => series.map(({name}) => name)))];
  const of = (series, name) => figure(series.find((one) => one.name === name)?.points[0].mean);
  const caption = `${plain(experiment.along)} ${measured[0].series[0].points[0].x}`;
  const numeric = (title) => ({title, numeric: true});
  if (names.length > measured.length)
    return table({
      caption,
      columns: [{title: 'series'}, ...measured.map(({quantity}) => numeric(plain(quantity)))],
      rows: names.map((name) => [name, ...measured.map(({series}) => of(series, name))]),
    });
  return table({
    caption,
    columns: [{title: 'quantity'}, ...names.map(numeric)],
    rows: measured.map(({quantity, series}) => [plain(quantity), ...names.map((name) => of(series, name))]),
  });
}

export function quantities(experiment) {
  const measured = experiment.quantities
    .map((quantity) => ({quantity, series: experiment.seriesOf(quantity).slice(0, mostSeries)}))
    .filter(({series}) => series.length > 0);
  const places = ({series}) => new Set(series.flatMap(({points}) => points.map(({x}) => x))).size;
  const single = measured.filter((one) => places(one) === 1);
  const drawn = measured.filter((one) => places(one) > 1);
  return [
    drawn.map(({quantity, series}) => quantityChart(experiment, quantity, series)),
    single.length > 0 && singles(experiment, single),
  ];
}
