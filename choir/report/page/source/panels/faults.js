// What went wrong, and when.
import {axis, chart, grid, tip, tooltip, tooltipAt} from '../chart.js';
import {element} from '../dom.js';
import {binned, faultsOf, lookOf, messageFaultsOf, stretchOf, timeOf, unitOf, whatsOf, whoOf} from '../faults.js';
import {capitalised, count, figure, isNumber, plural} from '../format.js';
import {legend} from '../legend.js';
import {total} from '../run.js';
import {folded} from '../table.js';

const mostListed = 40;
const listedOfMany = 12;
const mostRows = 20; // nodes; more, or more faults than this, are counted
const mostPoints = 200;

const legendOf = (whats, look = {}) => legend(whats.map((what) => ({words: what, ...lookOf(what), ...look})));

// A federation computes a sum without the devices that do not answer.
function absences(run, all) {
  const {most_silent: silent, most_refused: refused} = run.result;
  const named = all.some(({what}) => what === 'silent');
  return [
    silent > 0 &&
      !named &&
      `At most ${plural(silent, 'device was', 'devices were')} silent in any one sum, which was computed without them.`,
    refused > 0 && `At most ${plural(refused, 'device')} refused to answer in any one sum.`,
  ].filter(Boolean);
}

function axisName(run, unit) {
  if (unit !== 's') return unit;
  return isNumber(run.result.time?.virtual_s) ? 'seconds of simulated time' : 'seconds since the nodes started';
}

// For a picture that ends before the run does.
function restOf(run, own, unit) {
  const {drawn, end} = stretchOf(run, own, unit);
  return drawn < end && `Nothing else happened until the end at ${timeOf({unit}, end)}.`;
}

const captionOf = (unit) => (unit === 's' ? 'Faults over time' : `Faults by ${unit}`);

const timeTable = (own) => ({
  caption: 'Faults',
  columns: [{title: 'when'}, {title: 'who'}, {title: 'what'}],
  rows: own.map((fault) => [
    isNumber(fault.until) ? `${timeOf(fault)} to ${timeOf(fault, fault.until)}` : timeOf(fault),
    whoOf(fault),
    fault.words ?? fault.what,
  ]),
});

// A row for each node: marks where something happened, and bars for what lasted.
function rowsOverTime(run, own, unit, nodes) {
  const whats = whatsOf(own);
  const ofWhat = (what) => own.filter((fault) => String(fault.what) === what);
  const marks = (colours) =>
    whats.map((what) => ({
      type: 'scatter',
      z: 3,
      symbol: lookOf(what).symbol,
      symbolSize: 13,
      itemStyle: {color: colours.palette[lookOf(what).colour]},
      data: ofWhat(what).map((fault) => ({value: [fault.at, whoOf(fault)], fault})),
    }));
  const bars = (colours) =>
    own
      .filter(({until}) => isNumber(until))
      .map((fault) => ({
        type: 'line',
        silent: true,
        showSymbol: false,
        lineStyle: {width: 5, opacity: 0.55, color: colours.palette[lookOf(fault.what).colour]},
        data: [fault.at, fault.until].map((at) => [at, whoOf(fault)]),
      }));
  return chart({
    caption: captionOf(unit),
    wide: true,
    height: 90 + 24 * nodes.length,
    above: legendOf(whats),
    label: own
      .slice(0, 5)
      .map((fault) => `${timeOf(fault)}: ${whoOf(fault)} ${fault.what}`)
      .join('; '),
    option: (colours) => ({
      grid: grid({left: 92}),
      tooltip: tooltip(colours, ({data: {fault}}) =>
        tip(timeOf(fault), `${whoOf(fault)}: ${fault.what}`, fault.words),
      ),
      xAxis: axis(colours, {
        name: axisName(run, unit),
        min: 0,
        max: stretchOf(run, own, unit).drawn,
        minInterval: unit === 's' ? undefined : 1,
        axisLabel: {color: colours.soft, fontSize: 11, hideOverlap: true, showMaxLabel: false},
      }),
      yAxis: axis(colours, {
        type: 'category',
        along: 'y',
        inverse: true,
        data: nodes,
        splitLine: {show: true, lineStyle: {color: colours.grid}},
      }),
      series: [...bars(colours), ...marks(colours)],
    }),
    note: restOf(run, own, unit),
    table: () => timeTable(own),
  }).figure;
}

// Where single faults cannot be told apart: the number of faults in each stretch of time.
function countsOverTime(run, own, unit, nodes) {
  const whats = whatsOf(own);
  const {width, bins} = binned(own, stretchOf(run, own, unit).drawn, unit !== 's');
  const stretch = unit === 's' ? `${figure(width)} s` : plural(width, unit);
  return chart({
    caption: `${captionOf(unit)}, counted in bins of ${stretch}`,
    wide: true,
    height: 280,
    above: legendOf(whats, {symbol: 'rect'}),
    label: whats.map((what) => `${count(own.filter((fault) => fault.what === what).length)} ${what}`).join(', '),
    note: [
      `${plural(own.length, 'fault')} of ${plural(nodes.length, 'node')} are too many to draw one by one:`,
      `each bar counts the faults that began within ${stretch}.`,
      restOf(run, own, unit) || '',
    ].join(' '),
    option: (colours) => ({
      grid: grid(),
      tooltip: tooltipAt(colours, (place) => [
        `from ${timeOf({unit}, bins[place].from)}`,
        ...whats
          .filter((what) => bins[place].counts[what])
          .map((what) => `${what}: ${count(bins[place].counts[what])}`),
      ]),
      xAxis: axis(colours, {
        name: axisName(run, unit),
        type: 'category',
        data: bins.map(({from}) => figure(from)),
      }),
      yAxis: axis(colours, {name: 'faults', along: 'y', minInterval: 1}),
      series: whats.map((what) => ({
        type: 'bar',
        stack: 'faults',
        barCategoryGap: '10%',
        itemStyle: {color: colours.palette[lookOf(what).colour]},
        data: bins.map(({counts}) => counts[what] ?? 0),
      })),
    }),
    table: () => ({
      caption: `Faults in bins of ${stretch}`,
      columns: [{title: 'from'}, ...whats.map((what) => ({title: what, numeric: true}))],
      rows: bins
        .filter(({counts}) => total(Object.values(counts)) > 0)
        .map(({from, counts}) => [timeOf({unit}, from), ...whats.map((what) => count(counts[what] ?? 0))]),
    }),
  }).figure;
}

function timeLine(run, faults, unit) {
  const own = faults.filter((fault) => isNumber(fault.at) && unitOf(fault) === unit);
  if (own.length === 0) return null;
  const nodes = [...new Set(own.map(whoOf))].sort((a, b) => a.localeCompare(b, 'en', {numeric: true}));
  const draw = nodes.length > mostRows || own.length > mostPoints ? countsOverTime : rowsOverTime;
  return draw(run, own, unit, nodes);
}

// Without a fault to show, what is known depends on the engine.
function calm(run, messages) {
  if (!Array.isArray(run.result.faults)) return 'No node crashed or was lost.';
  if (messages === null)
    return [
      'No faults were seen: no node gave up on another.',
      'Only simulated networks report crashes of single nodes and lost messages;',
      'on other engines a process that dies ends the run.',
    ].join(' ');
  const nodes = 'node crashed, joined late, was cut off or was given up';
  if (messages.length > 0) return `No ${nodes}.`;
  return `No faults occurred: no ${nodes}, and no message was lost, repeated or sent again.`;
}

function messageWords({one, many, all, of}) {
  const most = of.reduce((best, number, node) => (number > of[best] ? node : best), 0);
  const share = of.filter((number) => number > 0).length > 1 ? `, ${count(of[most])} of them from node ${most}` : '';
  return `${count(all)} ${all === 1 ? one : many}${share}.`;
}

function messageTable(messages) {
  const nodes = messages.reduce((most, {of}) => Math.max(most, of.length), 0);
  return folded(() => ({
    caption: 'Messages that were not simply delivered, by sender',
    columns: [{title: 'node'}, ...messages.map(({name}) => ({title: name.replaceAll('_', ' '), numeric: true}))],
    rows: Array.from({length: nodes}, (_, node) => [
      `node ${node}`,
      ...messages.map(({of}) => (isNumber(of[node]) ? count(of[node]) : '–')),
    ]),
  }));
}

function sentence(fault) {
  const when = isNumber(fault.at) ? `${capitalised(timeOf(fault))}: ` : '';
  return `${when}${fault.words ?? `${whoOf(fault)} ${fault.what}`}`;
}

export const faults = {
  id: 'faults',
  title: 'Faults',
  applies: (run) => [run.result.faults, run.result.lost_peers, run.result.crashed].some(Array.isArray),
  render(run) {
    const all = faultsOf(run);
    const messages = messageFaultsOf(run);
    const about = [...absences(run, all), ...(messages ?? []).map(messageWords)];
    const ofMessages = messages?.length > 0 && messageTable(messages);
    if (all.length === 0) return [element('p', {}, [calm(run, messages), ...about].join(' ')), ofMessages];
    const units = [...new Set(all.map(unitOf))];
    const listed = all.slice(0, all.length > mostListed ? listedOfMany : mostListed);
    return [
      units.map((unit) => timeLine(run, all, unit)),
      element(
        'ul',
        {class: 'sentences'},
        listed.map((fault) => element('li', {}, sentence(fault))),
        all.length > listed.length && element('li', {}, `${count(all.length - listed.length)} more are not listed.`),
        about.map((words) => element('li', {}, words)),
      ),
      ofMessages,
    ];
  },
};
