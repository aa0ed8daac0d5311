// What went wrong, and when.
import {axis, chart, grid, tip, tooltip} from '../chart.js';
import {element} from '../dom.js';
import {capitalised, count, figure, isNumber, plural} from '../format.js';
import {listOf} from '../run.js';
import {Traces} from '../traces.js';

const mostListed = 40;

// [{at, unit, node, what, words}]; at is nothing where nobody wrote down when.
export function faultsOf(run) {
  if (Array.isArray(run.result.faults))
    return run.result.faults.filter((fault) => fault !== null && typeof fault === 'object');
  const lost = listOf(run.result.lost_peers).map(({node, peer, round, reason}) => ({
    at: round,
    unit: 'round',
    node: peer,
    what: `lost by node ${node}`,
    words: `Node ${node} went on without node ${peer}, which ${reason}.`,
  }));
  return [...listOf(run.result.crashed).map((node) => crashOf(run, node)), ...lost];
}

function crashOf(run, node) {
  const traces = new Traces(run);
  const last = traces.byNode.get(node)?.at(-1)?.[traces.step];
  const known = isNumber(last) ? ` after ${traces.step} ${last}, the last that it recorded` : '';
  return {
    node,
    what: 'crashed',
    words: `Node ${node} crashed${known}. It left no model, and means are over the others.`,
  };
}

// A federation does without devices for a sum or two.
function absences({result: {most_silent: silent, most_refused: refused}}) {
  return [
    silent > 0 && `In a sum at most ${plural(silent, 'device was', 'devices were')} silent, and it was done without.`,
    refused > 0 && `In a sum at most ${plural(refused, 'device', 'devices')} refused to answer.`,
  ].filter(Boolean);
}

const timeOf = ({at, unit}) => (unit === 's' ? `${figure(at)} s` : `${unit ?? 'round'} ${at}`);

function timeLine(run, faults, unit) {
  const own = faults.filter((fault) => isNumber(fault.at) && (fault.unit ?? 'round') === unit);
  if (own.length === 0) return null;
  const whole = unit === 's' ? (run.result.time?.virtual_s ?? run.result.time?.total_s) : run.result.iterations;
  const end = own.reduce((most, {at}) => Math.max(most, at), isNumber(whole) ? whole : 0);
  const nodes = [...new Set(own.map(({node}) => String(node)))].sort((a, b) =>
    a.localeCompare(b, 'en', {numeric: true}),
  );
  return chart({
    caption: unit === 's' ? 'Faults along time' : `Faults along the ${unit}s`,
    wide: true,
    height: 100 + 22 * Math.min(nodes.length, 20),
    label: own
      .slice(0, 5)
      .map((fault) => `${timeOf(fault)}: node ${fault.node} ${fault.what}`)
      .join('; '),
    option: (colours) => ({
      grid: grid({left: 76}),
      tooltip: tooltip(colours, ({dataIndex}) =>
        tip(timeOf(own[dataIndex]), `node ${own[dataIndex].node}: ${own[dataIndex].what}`, own[dataIndex].words),
      ),
      xAxis: axis(colours, {
        name: unit === 's' ? 'seconds' : unit,
        min: 0,
        max: end,
        minInterval: unit === 's' ? undefined : 1,
      }),
      yAxis: axis(colours, {
        type: 'category',
        along: 'y',
        data: nodes.map((node) => `node ${node}`),
        splitLine: {show: true, lineStyle: {color: colours.grid}},
      }),
      series: [
        {
          type: 'scatter',
          symbol: 'diamond',
          symbolSize: 14,
          itemStyle: {color: colours.palette[1]},
          data: own.map(({at, node}) => [at, `node ${node}`]),
        },
      ],
    }),
    table: () => ({
      caption: 'Faults',
      columns: [{title: 'when'}, {title: 'node'}, {title: 'what'}],
      rows: own.map((fault) => [timeOf(fault), fault.node, fault.words ?? fault.what]),
    }),
  }).figure;
}

export const faults = {
  id: 'faults',
  title: 'Faults',
  applies: (run) => [run.result.faults, run.result.lost_peers, run.result.crashed].some(Array.isArray),
  render(run) {
    const all = faultsOf(run);
    if (all.length === 0) return [element('p', {}, ['No node crashed and none was lost.', ...absences(run)].join(' '))];
    const units = [...new Set(all.map(({unit}) => unit ?? 'round'))];
    const said = all
      .slice(0, mostListed)
      .map(
        (fault) =>
          `${isNumber(fault.at) ? `${capitalised(timeOf(fault))}: ` : ''}${fault.words ?? `node ${fault.node} ${fault.what}`}`,
      );
    return [
      units.map((unit) => timeLine(run, all, unit)),
      element(
        'ul',
        {class: 'sentences'},
        [...said, ...absences(run)].map((sentence) => element('li', {}, sentence)),
        all.length > mostListed && element('li', {}, `${count(all.length - mostListed)} more are not listed.`),
      ),
    ];
  },
};
