// Who talks to whom: nodes coloured by what they recorded, links drawn wider the more bytes they carried. The slider replays
// the run.
import {chart, tip, tooltip} from '../chart.js';
import {colourAt, gradient, Scale} from '../colour_scale.js';
import {element, select} from '../dom.js';
import {bytes, count, figure, isNumber, plural} from '../format.js';
import {networkOf, pointValue} from '../network.js';
import {positions} from '../network_layout.js';
import {player} from '../player.js';
import {mean} from '../run.js';
import {Traces} from '../traces.js';
import {metricOf, qualityOf} from '../words.js';
import {panelOf} from './panel.js';

// The chart library rounds the ends of lines to whole numbers before it scales them to the picture.
const scale = 1000;
const mostLinksInTable = 500;

// What nodes can be coloured by: values recorded step by step, and values known at the end.
function colourings(run, network, traces) {
  const recorded = traces.empty
    ? []
    : traces.names.map((name) => ({
        value: name,
        words: metricOf(name).name,
        moves: true,
        logarithmic: metricOf(name).scale === 'log',
        of: (point, step) => pointValue(point, traces, name, step),
      }));
  const atEnd = Object.keys(run.qualityByNode).map((name) => {
    const means = run.nodeMeans(name);
    return {
      value: `end-${name}`,
      words: `${qualityOf(name).name}, at the end`,
      of: ({nodes: [first, size]}) => mean(means.slice(first, first + size).filter(isNumber)),
    };
  });
  const quality = network.points.some(({quality: value}) => isNumber(value))
    ? [{value: 'quality', words: 'quality', of: (point) => point.quality}]
    : [];
  const sent = network.points.some((point) => isNumber(point.sent))
    ? [{value: 'sent', words: 'bytes sent', of: (point) => point.sent, show: bytes}]
    : [];
  return [...recorded, ...quality, ...atEnd, ...sent];
}

class NetworkView {
  constructor(run, network, traces) {
    this.network = network;
    this.server = run.hasServer ? run.nodes : -1;
    this.places = positions(network.points.length, network.links);
    this.steps = traces.empty ? [] : traces.stepNumbers;
    this.step = this.steps.at(-1);
    this.choices = colourings(run, network, traces);
    this.heaviest = network.links.reduce((most, {there, back}) => Math.max(most, there + back), 1);
  }

  choose(value) {
    this.choice = this.choices.find((choice) => choice.value === value);
    if (!this.choice) return;
    const steps = this.choice.moves ? this.steps : [undefined];
    const points = this.network.points.filter((point) => point.nodes[0] !== this.server);
    const all = points.flatMap((point) => steps.map((step) => this.choice.of(point, step))).filter(isNumber);
    this.scale = new Scale(all, this.choice.logarithmic);
    this.show = this.choice.show ?? figure;
  }

  // Whether some node never has a value.
  unknown() {
    return this.network.points.some(
      (point) => point.nodes[0] !== this.server && !isNumber(this.choice.of(point, this.steps.at(-1))),
    );
  }

  nodes(colours) {
    const size = Math.max(9, Math.min(26, 320 / this.places.length));
    return this.network.points.map((point, place) => {
      const value = this.choice?.of(point, this.step);
      const isServer = point.nodes[0] === this.server;
      return {
        name: this.nameOf(place),
        x: scale * this.places[place][0],
        y: scale * this.places[place][1],
        value,
        symbol: isServer ? 'diamond' : 'circle',
        symbolSize: isServer ? size * 1.5 : size,
        sent: point.sent,
        itemStyle: {
          color: isNumber(value) && !isServer ? colourAt(this.scale.share(value)) : colours.surface,
          borderColor: colours.soft,
          borderWidth: 1,
        },
      };
    });
  }

  links(colours) {
    return this.network.links.map(({from, to, there, back}) => ({
      source: from,
      target: to,
      there,
      back,
      lineStyle: {
        width: 0.6 + 3 * ((there + back) / this.heaviest),
        color: colours.axis,
        opacity: 0.35 + 0.4 * ((there + back) / this.heaviest),
      },
    }));
  }

  tipOf({dataType, data}) {
    if (dataType === 'edge') {
      const [from, to] = [data.source, data.target].map((place) => this.nameOf(place));
      return tip(`${from} to ${to}: ${bytes(data.there)}`, `${to} to ${from}: ${bytes(data.back)}`);
    }
    return tip(
      data.name,
      isNumber(data.value) ? `${this.choice.words}: ${this.show(data.value)}` : 'nothing recorded yet',
      isNumber(data.sent) && `sent: ${bytes(data.sent)}`,
    );
  }

  option(colours, width) {
    const label = this.places.length <= 40;
    return {
      tooltip: tooltip(colours, (hit) => this.tipOf(hit)),
      series: [
        {
          type: 'graph',
          layout: 'none',
          roam: false,
          left: 34,
          right: 34,
          top: 34,
          bottom: 34,
          preserveAspect: true,
          data: this.nodes(colours),
          links: this.links(colours),
          emphasis: {focus: 'adjacency'},
          label: {
            show: label && width > 300,
            position: 'top',
            distance: 3,
            fontSize: 10,
            color: colours.ink,
            textBorderColor: colours.surface,
            textBorderWidth: 2,
            formatter: ({data}) => data.name.replace(/^nodes? /, '').replace(' to ', '–'),
          },
        },
      ],
    };
  }

  tables() {
    return [this.nodeTable(), this.linkTable()];
  }

  nameOf(place) {
    const point = this.network.points[place];
    return point.nodes[0] === this.server ? 'server' : point.name;
  }

  nodeTable() {
    const rows = this.network.points.map((point, place) => [
      this.nameOf(place),
      this.choice ? this.show(this.choice.of(point, this.step)) : '–',
      bytes(point.sent),
    ]);
    const when = this.choice?.moves ? `, step ${this.step}` : '';
    return {
      caption: `Nodes${when}`,
      rows,
      columns: [{title: 'node'}, {title: this.choice?.words ?? 'value', numeric: true}, {title: 'sent', numeric: true}],
    };
  }

  linkTable() {
    const {links, linkCount} = this.network;
    const both = ({there, back}) => there + back;
    const shown = [...links].sort((a, b) => both(b) - both(a)).slice(0, mostLinksInTable);
    return {
      caption:
        shown.length < linkCount
          ? `The ${count(shown.length)} of ${plural(linkCount, 'link')} that carried the most bytes, heaviest first`
          : 'Links, heaviest first',
      rows: shown.map((link) => [
        `${this.nameOf(link.from)} and ${this.nameOf(link.to)}`,
        bytes(both(link)),
        bytes(link.there),
        bytes(link.back),
      ]),
      columns: [
        {title: 'link'},
        ...['both directions', 'from the first', 'from the second'].map((title) => ({title, numeric: true})),
      ],
    };
  }
}

function pointWords(run, {points, aggregated}) {
  if (aggregated) return plural(points.length, 'group');
  return run.hasServer && points.length === run.nodes + 1
    ? `${plural(run.nodes, 'device')} and a server`
    : plural(points.length, run.someone, run.several);
}

function colourBar(view) {
  const bar = element('div', {class: 'colourbar'});
  const refresh = () => {
    const known = view.scale && Number.isFinite(view.scale.low);
    bar.replaceChildren(
      ...(known
        ? [
            element('span', {}, `${view.scale.cut ? '≤ ' : ''}${view.show(view.scale.low)}`),
            element('span', {class: 'ramp', style: `background:${gradient}`, 'aria-hidden': 'true'}),
            element('span', {}, view.show(view.scale.high)),
            element(
              'span',
              {class: 'unit'},
              `${view.choice.words}${view.scale.logarithmic ? ', logarithmic' : ''}${view.unknown() ? '; hollow: nothing recorded' : ''}`,
            ),
          ]
        : []),
    );
  };
  return {bar, refresh};
}

// The quality of the run's own answer if it is known, or else how far the nodes are apart; never a yardstick. For nodes that
// learned alone, their own components are the answer.
function firstColouring(run, choices) {
  const own = `end-${run.answer ?? 'local'}`;
  const order = ['similarity', 'error', own, 'quality', 'accuracy', 'gap', 'disagreement', 'loss'];
  return order.map((name) => choices.find(({value}) => value === name)).find(Boolean) ?? choices[0];
}

export const network = panelOf('network', 'The network', networkOf, (model, run) => {
  const traces = new Traces(run);
  const view = new NetworkView(run, model, traces);
  const {bar, refresh} = colourBar(view);
  const slider =
    view.steps.length > 1 &&
    player(traces.step, view.steps, (step) => {
      view.step = step;
      drawn.redraw();
    });
  const chosen = (value) => {
    view.choose(value);
    if (slider) slider.hidden = !view.choice?.moves;
    refresh();
  };
  const {control, list} = select('Colour by', view.choices, (value) => {
    chosen(value);
    drawn.redraw();
  });
  chosen(firstColouring(run, view.choices)?.value);
  if (view.choice) list.value = view.choice.value;
  const drawn = chart({
    caption: `${pointWords(run, model)}, ${plural(model.linkCount, 'link')}; wider lines carried more bytes`,
    option: (colours, width) => view.option(colours, width),
    table: () => view.tables(),
    height: 440,
    wide: true,
    note: model.words,
    above: element('div', {class: 'controls'}, view.choices.length > 1 && control, slider, bar),
  });
  return [drawn.figure];
});
