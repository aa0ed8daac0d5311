// Panels that put several runs beside each other. A run keeps its colour and symbol through the page.
import {axis, bytesAxis, chart, grid, powers, tip, tooltip} from '../chart.js';
import {disclosure} from '../disclosure.js';
import {element} from '../dom.js';
import {bytes, capitalised, count, figure, isNumber, listed, percent, seconds, similarity} from '../format.js';
import {doubtful, headline, mainFigure, sentByOne, unfinished, weak} from '../headline.js';
import {legend, symbols} from '../legend.js';
import {cutWords, thinnedWords} from '../recorded.js';
import {numbersOf, total} from '../run.js';
import {table} from '../table.js';
import {Traces} from '../traces.js';
import {kindOf, kindOrder, metricOf} from '../words.js';
import {panelOf} from './panel.js';

const runLegend = (runs, all) =>
  legend(
    runs.map((run) => ({
      words: run.name,
      colour: all.indexOf(run),
      symbol: symbols[all.indexOf(run) % symbols.length],
    })),
  );
const lookOf = (run, all, colours) => {
  const place = all.indexOf(run);
  const color = colours.palette[place % colours.palette.length];
  return {symbol: symbols[place % symbols.length], lineStyle: {width: 2.2, color}, itemStyle: {color}};
};
const known = (value, words) => (isNumber(value) ? words(value) : '–');

const rawBytes = (run) => total([run.ledger.by_kind?.raw_samples?.bytes]);
const convergedWords = ({result: {converged}}) =>
  converged === false ? {words: 'not converged', look: 'warns'} : converged === true ? 'yes' : 'fixed length';

// What a reader must not overlook, whatever the figures say.
function warnings(runs) {
  const of = (wrong, words) => {
    const names = runs.filter(wrong).map((run) => run.name);
    return names.length > 0 && element('p', {}, element('strong', {}, words), ` ${listed(names)}.`);
  };
  const said = [
    of(unfinished, 'Not converged, so the figures are those of an unfinished run:'),
    of(weak, 'Weak by its own account:'),
    of((run) => rawBytes(run) > 0, 'Raw samples left their nodes:'),
  ].filter(Boolean);
  return (
    said.length > 0 && element('div', {class: 'statement warns', role: 'note', 'aria-label': 'Warnings'}, said)
  );
}

function factRows(runs) {
  const row = (name, of) => [name, ...runs.map(of)];
  return [
    row('method', (run) => run.method),
    row('engine', ({result}) => result.engine ?? '–'),
    row('nodes', (run) => count(run.nodes)),
    row('samples', ({result}) => known(result.samples, count)),
    row('components', ({result}) => known(result.n_components, count)),
    row('quality', (run) => {
      const main = mainFigure(run);
      return main ? `${main.value} ${main.words}` : '–';
    }),
    row('variance explained', ({result}) =>
      known(total(numbersOf(result.explained_variance_ratio)), (share) => (share > 0 ? percent(share, 1) : '–')),
    ),
    row('converged', convergedWords),
    row('iterations', (run) => known(run.iterations, count)),
    row('sent per node, mean', (run) => known(sentByOne(run), bytes)),
    row('raw samples sent', (run) => {
      if (!run.hasLedger) return 'unknown';
      return rawBytes(run) > 0 ? {words: bytes(rawBytes(run)), look: 'warns'} : bytes(0);
    }),
    row('total time', ({result}) => known(result.time?.total_s, seconds)),
    row('peak memory', ({result}) => known(result.memory_peak_bytes, bytes)),
  ];
}

export const sideBySide = {
  id: 'side-by-side',
  title: 'Side by side',
  applies: () => true,
  render: (runs) => [
    warnings(runs),
    table({
      caption: 'The runs',
      columns: [{title: ''}, ...runs.map((run) => ({title: run.name}))],
      rows: factRows(runs),
    }),
  ],
};

export const inWords = {
  id: 'in-words',
  title: 'In words',
  applies: () => true,
  render: (runs) =>
    runs.map((run) => {
      const words = headline(run);
      const {verdict, clean} = disclosure(run);
      return element(
        'article',
        {class: 'run'},
        element('h3', {}, run.name),
        element('p', {}, [words.what, ...words.quality, words.spread, words.cost].filter(Boolean).join(' ')),
        words.ending && element('p', {class: doubtful(run) ? 'warns' : null}, words.ending),
        element('p', {class: clean ? 'clean' : 'warns'}, verdict),
        cutWords(run) && element('p', {class: 'note'}, cutWords(run)),
      );
    }),
};

const answered = (runs) => runs.filter((run) => run.answer?.startsWith('similarity') || run.qualityByComponent.local);
const answerOf = (run) => run.qualityByComponent[run.answer ?? 'local'];

export const qualities = panelOf('qualities', 'Quality', answered, (own, runs) => {
  const most = Math.max(...own.map((run) => answerOf(run).length));
  const names = Array.from({length: most}, (_, place) => String(place + 1));
  return [
    chart({
      caption: 'Similarity to the central solution, mean over nodes',
      wide: true,
      height: 300,
      above: runLegend(own, runs),
      label: own.map((run) => `${run.name} ${similarity(answerOf(run)[0])} at the first component`).join(', '),
      option: (colours) => ({
        grid: grid(),
        tooltip: tooltip(
          colours,
          (hits) =>
            tip(
              `component ${hits[0].name}`,
              ...hits.map(({seriesName, value}) => `${seriesName}: ${similarity(value)}`),
            ),
          'axis',
        ),
        xAxis: axis(colours, {name: 'component', type: 'category', data: names}),
        yAxis: axis(colours, {name: 'similarity', along: 'y', scale: true, max: 1}),
        series: own.map((run) => ({
          type: 'line',
          name: run.name,
          data: answerOf(run),
          symbolSize: 7,
          ...lookOf(run, runs, colours),
        })),
      }),
      table: () => ({
        caption: 'Similarity by component',
        columns: [{title: 'component'}, ...own.map((run) => ({title: run.name, numeric: true}))],
        rows: names.map((name, place) => [name, ...own.map((run) => similarity(answerOf(run)[place]))]),
      }),
    }).figure,
  ];
});

function overlaid(runs, all, name) {
  const words = metricOf(name);
  const summaries = runs.map((run) => new Traces(run).summary(name));
  const logarithmic = words.scale === 'log';
  return chart({
    caption: `${capitalised(words.name)}: ${words.is}, mean over nodes`,
    above: runLegend(runs, all),
    label: runs.map((run, place) => `${run.name} ends at ${figure(summaries[place].at(-1)?.mean)}`).join(', '),
    option: (colours) => ({
      grid: grid(),
      tooltip: tooltip(
        colours,
        (hits) => tip(...hits.map(({seriesName, data}) => `${seriesName}, ${figure(data[0])}: ${figure(data[1])}`)),
        'axis',
      ),
      xAxis: axis(colours, {name: new Traces(runs[0]).alongWords, scale: true}),
      yAxis: axis(colours, {
        name: words.name,
        along: 'y',
        ...(logarithmic ? powers(summaries.flat().map(({mean}) => mean)) : {scale: true}),
        axisLabel: {color: colours.soft, fontSize: 11, formatter: (value) => figure(value)},
      }),
      series: runs.map((run, place) => ({
        type: 'line',
        name: run.name,
        showSymbol: false,
        ...lookOf(run, all, colours),
        data: summaries[place].filter(({mean}) => !logarithmic || mean > 0).map(({x, mean}) => [x, mean]),
      })),
    }),
    table: () => ({
      caption: `${words.name} at the end`,
      columns: [{title: 'run'}, {title: 'last', numeric: true}],
      rows: runs.map((run, place) => [run.name, figure(summaries[place].at(-1)?.mean)]),
    }),
  }).figure;
}

// Runs that record the same thing along the same axis.
function shared(runs) {
  const groups = new Map();
  for (const run of runs) {
    const traces = new Traces(run);
    for (const name of traces.empty ? [] : traces.names) {
      const key = `${traces.along} ${name}`;
      groups.set(key, {name, runs: [...(groups.get(key)?.runs ?? []), run]});
    }
  }
  return [...groups.values()];
}

export const onTheWay = {
  id: 'on-the-way',
  title: 'Progress',
  applies: (runs) => shared(runs).length > 0,
  render: (runs) => [
    shared(runs).map((group) => overlaid(group.runs, runs, group.name)),
    runs.filter(thinnedWords).map((run) => element('p', {class: 'note'}, `${run.name}: ${thinnedWords(run)}`)),
  ],
};

// Room for names beside bars, in pixels of their letters, but never more than the bars have.
const roomFor = (names, width) =>
  Math.min(20 + 6.6 * Math.max(...names.map((name) => name.length)), Math.max(110, 0.42 * width));

export const traffic = {
  id: 'traffic',
  title: 'What left the nodes',
  applies: (runs) => runs.some((run) => run.kinds(run.sentByOwners).length > 0),
  render(runs) {
    const own = runs.filter((run) => run.kinds(run.sentByOwners).length > 0);
    const kinds = [...new Set(own.flatMap((run) => run.kinds(run.sentByOwners).map(([key]) => key)))].sort(
      (a, b) => kindOrder.indexOf(a) - kindOrder.indexOf(b),
    );
    const perNode = (run, key) => total([run.sentByOwners[key]?.bytes]) / Math.max(run.nodes, 1);
    const names = own.map((run) => run.name);
    const largest = Math.max(...own.map((run) => total(kinds.map((key) => perNode(run, key)))));
    return [
      chart({
        caption: 'Bytes sent per node, by kind',
        wide: true,
        height: 90 + 44 * own.length,
        above: legend(kinds.map((key) => ({words: kindOf(key).name, colour: kindOf(key).colour}))),
        label: own.map((run) => `${run.name} ${bytes(sentByOne(run))}`).join(', '),
        note: own.some((run) => run.hasServer) && 'Bytes sent by a server are not counted here.',
        option: (colours, width) => ({
          grid: grid({left: roomFor(names, width), bottom: 34}),
          tooltip: tooltip(
            colours,
            (hits) => tip(hits[0].name, ...hits.map(({seriesName, value}) => `${seriesName}: ${bytes(value)}`)),
            'axis',
          ),
          xAxis: bytesAxis(colours, 'x', largest),
          yAxis: axis(colours, {
            type: 'category',
            along: 'y',
            inverse: true,
            data: names,
            splitLine: {show: false},
            axisLabel: {
              color: colours.ink,
              fontSize: 12,
              lineHeight: 14,
              width: roomFor(names, width) - 12,
              overflow: 'breakAll',
              interval: 0,
            },
          }),
          series: kinds.map((key) => ({
            type: 'bar',
            name: kindOf(key).name,
            stack: 'sent',
            barMaxWidth: 26,
            data: own.map((run) => perNode(run, key)),
            itemStyle: {color: colours.palette[kindOf(key).colour]},
          })),
        }),
        table: () => ({
          caption: 'Bytes sent per node, by kind',
          columns: [{title: 'run'}, ...kinds.map((key) => ({title: kindOf(key).name, numeric: true}))],
          rows: own.map((run) => [run.name, ...kinds.map((key) => bytes(perNode(run, key)))]),
        }),
      }).figure,
    ];
  },
};
