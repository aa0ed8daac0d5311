// The network as it is drawn: every node, or groups of consecutive nodes where there are too many to see.
import {count, isNumber, plural} from './format.js';
import {listOf, mean, numbersOf, total} from './run.js';

const mostNodes = 150;
const groupsOfMany = 60;
const mostLinks = 1200;

// {points: [{name, nodes: [first, count], sent, quality}], links: [{from, to, there, back}], linkCount, aggregated, words}
export function networkOf(run) {
  const network = run.result.network;
  if (listOf(network?.groups).length > 0) return withFewLinks(ofGroups(network));
  const nodes = isNumber(network?.nodes) ? network.nodes : 0;
  if (nodes < 2 || listOf(network.links).length === 0) return null;
  return withFewLinks(nodes <= mostNodes ? ofNodes(network, nodes) : grouped(network, nodes));
}

// A few thousand lines hide everything else, and take seconds to draw.
function withFewLinks(model) {
  const all = model.links.length;
  if (all <= mostLinks) return {...model, linkCount: all};
  const weight = ({there, back}) => there + back;
  const links = [...model.links].sort((a, b) => weight(b) - weight(a)).slice(0, mostLinks);
  const shown = `The ${count(mostLinks)} of ${plural(all, 'link')} that carried the most bytes are drawn.`;
  return {...model, links, linkCount: all, words: [model.words, shown].filter(Boolean).join(' ')};
}

const linkOf = ([from, to, there, back]) => ({from, to, there: total([there]), back: total([back])});
const words = (network, otherwise) =>
  typeof network.reason === 'string' && network.reason ? network.reason : otherwise;

function ofNodes(network, nodes) {
  const points = Array.from({length: nodes}, (_, node) => ({
    name: `node ${node}`,
    nodes: [node, 1],
    sent: network.sent?.[node],
  }));
  const links = listOf(network.links)
    .filter(([from, to]) => from < nodes && to < nodes)
    .map(linkOf);
  const shown =
    isNumber(network.shown) && network.shown < nodes ? `${network.shown} of ${plural(nodes, 'node')} are shown. ` : '';
  return {points, links, aggregated: false, words: shown + words(network, '')};
}

// The program's own groups are blocks of consecutive nodes, in order.
function ofGroups(network) {
  let first = 0;
  const points = network.groups.map((group) => {
    const size = total([group?.nodes]);
    const point = {name: blockName(first, size), nodes: [first, size], sent: group?.sent, quality: group?.quality};
    first += size;
    return point;
  });
  const all = isNumber(network.nodes) ? network.nodes : first;
  return {
    points,
    links: listOf(network.links).map(linkOf),
    aggregated: true,
    words: words(
      network,
      `Aggregated: ${plural(all, 'node')} are shown as ${plural(points.length, 'group')} of consecutive nodes.`,
    ),
  };
}

const blockName = (first, size) => (size === 1 ? `node ${first}` : `nodes ${first} to ${first + size - 1}`);

function grouped(network, nodes) {
  const size = Math.ceil(nodes / groupsOfMany);
  const points = [];
  for (let first = 0; first < nodes; first += size) {
    const of = Math.min(size, nodes - first);
    points.push({
      name: blockName(first, of),
      nodes: [first, of],
      sent: total(numbersOf(listOf(network.sent).slice(first, first + of))),
    });
  }
  return {
    points,
    links: joined(listOf(network.links).map(linkOf), size),
    aggregated: true,
    words:
      `Aggregated: ${plural(nodes, 'node')} are shown as ${plural(points.length, 'group')} of consecutive nodes; ` +
      'links within a group are not drawn.',
  };
}

function joined(links, size) {
  const between = new Map();
  for (const {from, to, there, back} of links) {
    const [a, b] = [Math.floor(from / size), Math.floor(to / size)];
    if (a === b) continue;
    const [low, high] = [Math.min(a, b), Math.max(a, b)];
    const key = `${low} ${high}`;
    const sum = between.get(key) ?? {from: low, to: high, there: 0, back: 0};
    sum.there += a === low ? there : back;
    sum.back += a === low ? back : there;
    between.set(key, sum);
  }
  return [...between.values()];
}

// The value of one metric that a point shows at a step: the mean over those of its nodes that have recorded it.
export function pointValue(point, traces, name, step) {
  const [first, size] = point.nodes;
  if (size === 1) return traces.at(first, name, step);
  const values = [];
  for (const node of traces.nodes) {
    if (node >= first && node < first + size) values.push(traces.at(node, name, step));
  }
  const known = numbersOf(values);
  return known.length ? mean(known) : undefined;
}
