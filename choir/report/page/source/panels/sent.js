// What left the nodes: the statement in words, bytes by kind, bytes by node.
import {axis, bytesAxis, chart, grid, tip, tooltip} from '../chart.js';
import {disclosure} from '../disclosure.js';
import {element} from '../dom.js';
import {bytes, count, percent, plural} from '../format.js';
import {legend} from '../legend.js';
import {listOf, mean, numbersOf, objectOf, total} from '../run.js';
import {table} from '../table.js';
import {kindOrder} from '../words.js';

const mostBars = 60;

const largestOf = (values) => values.reduce((most, value) => Math.max(most, value), 0);

function statement({verdict, clean, sentences}) {
  return element(
    'div',
    {class: `statement ${clean ? 'clean' : 'warns'}`, role: 'note', 'aria-label': 'Disclosure statement'},
    element('p', {class: 'verdict'}, verdict),
    sentences.length > 0 && [
      element('p', {}, clean ? 'Other kinds of messages did leave:' : 'Other kinds of messages that left:'),
      element(
        'ul',
        {},
        sentences.map((sentence) => element('li', {}, sentence)),
      ),
    ],
    element(
      'p',
      {class: 'note'},
      'Source: the ledger, which counts every message before it leaves a node.',
    ),
  );
}

function byKind(run) {
  const kinds = run.kinds();
  const all = total(kinds.map(([, sent]) => sent.bytes));
  return chart({
    caption: `Bytes by kind: ${bytes(all)} in ${plural(total([run.ledger.messages]), 'message')}`,
    label: kinds.map(([key, sent]) => `${run.kind(key).name} ${bytes(sent.bytes)}`).join(', '),
    height: 70 + 34 * kinds.length,
    option: (colours) => ({
      grid: grid({left: 92, bottom: 30, right: 62}),
      tooltip: tooltip(colours, ({dataIndex}) =>
        tip(
          run.kind(kinds[dataIndex][0]).name,
          run.kind(kinds[dataIndex][0]).tells,
          bytes(kinds[dataIndex][1].bytes),
          plural(kinds[dataIndex][1].messages ?? 0, 'message'),
        ),
      ),
      xAxis: bytesAxis(colours, 'x', largestOf(kinds.map(([, sent]) => sent.bytes))),
      yAxis: axis(colours, {
        type: 'category',
        along: 'y',
        inverse: true,
        data: kinds.map(([key]) => run.kind(key).name),
        splitLine: {show: false},
      }),
      series: [
        {
          type: 'bar',
          barMaxWidth: 22,
          label: {
            show: true,
            position: 'right',
            color: colours.ink,
            fontSize: 11,
            formatter: ({value}) => bytes(value),
          },
          data: kinds.map(([key, sent]) => ({
            value: sent.bytes,
            itemStyle: {color: colours.palette[run.kind(key).colour]},
          })),
        },
      ],
    }),
    table: () => ({
      caption: 'Sent by kind',
      columns: [
        {title: 'kind'},
        {title: 'what a receiver can learn'},
        ...['messages', 'bytes', 'share'].map((title) => ({title, numeric: true})),
      ],
      rows: kinds.map(([key, sent]) => [
        run.kind(key).name,
        run.kind(key).tells,
        count(sent.messages ?? 0),
        count(sent.bytes ?? 0),
        percent(sent.bytes / all, 1),
      ]),
    }),
  }).figure;
}

// [[kind, bytes of each node]]; one unnamed kind if only the sums are known. A server has no data, so its bytes are counted apart.
function countsByNode(run) {
  const own = (values) => (run.hasServer ? listOf(values).slice(0, run.nodes) : listOf(values));
  const kinds = Object.entries(objectOf(run.result.sent_by_kind))
    .map(([key, values]) => [key, own(values)])
    .filter(([, values]) => total(values) > 0);
  if (kinds.length > 0) return kinds.sort(([a], [b]) => kindOrder.indexOf(a) - kindOrder.indexOf(b));
  const sent = own(run.result.network?.sent);
  return numbersOf(sent).length > 0 ? [['', sent]] : [];
}

const nameOf = (run, key) => (key ? run.kind(key).name : 'all kinds');

// Where there are more nodes than a reader can tell apart, a bar stands for a block of nodes: its mean, so that heights stay
// comparable.
function barsOf(counts) {
  const nodes = counts.reduce((most, [, values]) => Math.max(most, values.length), 0);
  const size = Math.ceil(nodes / mostBars);
  const firsts = Array.from({length: Math.ceil(nodes / size)}, (_, place) => place * size);
  return {
    size,
    names: firsts.map((first) => (size === 1 ? String(first) : `${first}–${Math.min(first + size, nodes) - 1}`)),
    heights: counts.map(([, values]) => firsts.map((first) => mean(numbersOf(values.slice(first, first + size))))),
  };
}

function byNode(run, counts) {
  const {size, names, heights} = barsOf(counts);
  const someone = size === 1 ? run.someone : `${run.someone}, means of ${count(size)} consecutive ${run.several}`;
  return chart({
    caption: `Bytes sent by each ${someone}`,
    wide: names.length > 24,
    label: counts
      .map(([key], place) => `${nameOf(run, key)} ${bytes(mean(numbersOf(heights[place])))} on average`)
      .join(', '),
    above: legend(counts.map(([key]) => ({words: nameOf(run, key), colour: key ? run.kind(key).colour : 0}))),
    option: (colours) => ({
      grid: grid({left: 70}),
      tooltip: tooltip(
        colours,
        (hits) =>
          tip(`${run.someone} ${hits[0].name}`, ...hits.map(({seriesName, value}) => `${seriesName}: ${bytes(value)}`)),
        'axis',
      ),
      xAxis: axis(colours, {name: run.someone, type: 'category', data: names}),
      yAxis: bytesAxis(colours, 'y', largestOf(names.map((_, bar) => total(heights.map((values) => values[bar]))))),
      series: counts.map(([key], place) => ({
        type: 'bar',
        name: nameOf(run, key),
        stack: 'sent',
        barCategoryGap: '25%',
        data: heights[place],
        itemStyle: {color: colours.palette[key ? run.kind(key).colour : 0]},
      })),
    }),
    table: () => ({
      caption: 'Bytes by node and kind',
      columns: [{title: run.someone}, ...counts.map(([key]) => ({title: nameOf(run, key), numeric: true}))],
      rows: names.map((name, bar) => [name, ...heights.map((values) => count(values[bar]))]),
    }),
  }).figure;
}

function apart(run) {
  if (!run.result.sent_by_devices) return null;
  const devices = run.kinds(run.result.sent_by_devices);
  const server = objectOf(run.result.sent_by_server);
  if (devices.length === 0) return null;
  return table({
    caption: 'Devices and server separately',
    columns: [{title: 'sent by'}, {title: 'kind'}, {title: 'messages', numeric: true}, {title: 'bytes', numeric: true}],
    rows: [
      ...devices.map(([key, sent]) => ['devices', run.kind(key).name, count(sent.messages ?? 0), bytes(sent.bytes)]),
      ['server', 'all kinds', count(server.messages ?? 0), bytes(server.bytes)],
    ],
  });
}

export const sent = {
  id: 'sent',
  title: 'What left the nodes',
  applies: (run) => run.hasLedger,
  render(run) {
    const counts = countsByNode(run);
    return [
      statement(disclosure(run)),
      run.kinds().length > 0 && byKind(run),
      counts.length > 0 && byNode(run, counts),
      apart(run),
    ];
  },
};
