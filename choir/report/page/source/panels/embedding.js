// Samples along any two components: those of one node, or of all nodes in one picture, coloured by label or by node.
import {axis, chart, grid, tip, tooltip} from '../chart.js';
import {colourAt} from '../colour_scale.js';
import {element, select} from '../dom.js';
import {Embedding} from '../embedding.js';
import {capitalised, count, figure, isNumber, plural} from '../format.js';
import {legend, symbols} from '../legend.js';
import {total} from '../run.js';

const mostColours = 30; // that colours and symbols can tell apart
const all = 'all';

// What is shown now: whose samples, along which axes, coloured by what.
class Shown {
  constructor(run, data) {
    this.data = data;
    this.x = 0;
    this.y = 1;
    // Nodes that never communicated have not agreed on components, so their samples do not share a picture at first.
    this.silent = run.hasLedger && total([run.ledger.bytes]) === 0;
    this.whose = data.entries.length > 1 && !this.silent ? all : '0';
    this.by = data.hasLabels ? 'label' : 'node';
  }

  get entries() {
    return this.whose === all ? this.data.entries : [this.data.entries[this.whose]];
  }
  get points() {
    return this.entries.flatMap(({points}) => points);
  }
  get byNode() {
    return this.by === 'node' && this.whose === all;
  }
  get groups() {
    if (this.byNode) return [...new Set(this.data.names)];
    return this.data.labels.length <= mostColours ? this.data.labels : [];
  }
  get caption() {
    const [x, y] = [this.x, this.y].map((place) => this.data.axes[place]);
    return `${capitalised(this.whoWords)} along ${x} and ${y}`;
  }
  get whoWords() {
    if (this.whose === all) return `samples of ${this.data.everyone}`;
    return this.data.entries.length === 1 ? 'samples' : `samples of ${this.entries[0].name}`;
  }
  get label() {
    const coloured = this.groups.length > 1 ? `, coloured by ${this.byNode ? 'node' : this.data.labelsAre}` : '';
    return `${plural(this.points.length, 'sample')}${coloured}`;
  }

  series(colours) {
    const {points, groups, byNode} = this;
    const many = groups.length > mostColours;
    const data = (own) => own.map((point) => ({value: [point.at[this.x], point.at[this.y]], point}));
    const look = (color, symbol) => ({
      type: 'scatter',
      symbol,
      symbolSize: points.length > 1500 ? 4 : 6,
      itemStyle: {color, opacity: 0.75},
    });
    if (groups.length === 0) return [{...look(colours.palette[0], 'circle'), data: data(points)}];
    return groups.map((group, place) => ({
      ...look(
        many ? colourAt(place / (groups.length - 1)) : colours.palette[place % colours.palette.length],
        many ? 'circle' : symbols[place % symbols.length],
      ),
      data: data(points.filter((point) => (byNode ? point.name : point.label) === group)),
    }));
  }

  // What the colours mean; nothing where there is only one.
  key() {
    const {groups} = this;
    if (groups.length < 2) return null;
    if (groups.length > mostColours)
      return element('p', {class: 'note'}, `From ${groups[0]} (dark) to ${groups.at(-1)} (light).`);
    return legend(
      groups.map((group, place) => ({
        words: group || `no ${this.data.labelsAre}`,
        colour: place,
        symbol: symbols[place % symbols.length],
      })),
    );
  }

  note() {
    const {data, entries, whose} = this;
    const shown = this.points.length;
    return [
      entries.length === 1 && entries[0].ownName && `As seen by ${entries[0].name}.`,
      isNumber(data.of) &&
        data.of > shown &&
        `${count(shown)} of ${plural(data.of, 'sample')}${data.whose ? ` of ${data.whose}` : ''} are shown.`,
      data.whose && 'Samples of other processes stayed there.',
      whose === all && 'Each sample is drawn along the axes of its own node.',
      whose === all &&
        this.silent &&
        'The nodes did not communicate, so their axes may differ in sign and order.',
      this.by === 'label' &&
        data.labels.length > mostColours &&
        `${count(data.labels.length)} ${data.labelsAre}s are too many to colour.`,
    ]
      .filter(Boolean)
      .join(' ');
  }

  tipOf({name, label, at}) {
    const coordinate = (place) => `${this.data.axes[place]}: ${figure(at[place])}`;
    return tip(
      label && `${this.data.labelsAre} ${label}`,
      this.data.entries.length > 1 && name,
      coordinate(this.x),
      coordinate(this.y),
    );
  }

  table() {
    const several = this.entries.length > 1;
    const axes = [this.x, this.y];
    return {
      caption: capitalised(this.whoWords),
      columns: [
        {title: this.data.labelsAre},
        ...(several ? [{title: 'node'}] : []),
        ...axes.map((place) => ({title: this.data.axes[place], numeric: true})),
      ],
      rows: this.points.map(({at, label, name}) => [
        label || '–',
        ...(several ? [name] : []),
        ...axes.map((place) => figure(at[place])),
      ]),
    };
  }
}

function controlsOf(shown, changed) {
  const {data} = shown;
  const choice = (label, choices, name, read = (value) => value) => {
    const {control, list} = select(label, choices, (value) => {
      shown[name] = read(value);
      changed();
    });
    list.value = String(shown[name]);
    return control;
  };
  const axes = data.axes.map((words, place) => ({value: String(place), words}));
  const nodes = data.names.map((words, place) => ({value: String(place), words}));
  return [
    nodes.length > 1 && choice('Samples of', [{value: all, words: data.everyone}, ...nodes], 'whose'),
    axes.length > 2 && choice('x axis', axes, 'x', Number),
    axes.length > 2 && choice('y axis', axes, 'y', Number),
    nodes.length > 1 &&
      data.hasLabels &&
      choice(
        'Colour samples by',
        [
          {value: 'label', words: data.labelsAre},
          {value: 'node', words: 'node'},
        ],
        'by',
      ),
  ];
}

export const embedding = {
  id: 'embedding',
  title: 'Samples in the components',
  applies: (run) => run.embedding !== null && new Embedding(run).entries.length > 0,
  render(run) {
    const shown = new Shown(run, new Embedding(run));
    const key = element('div', {class: 'key'});
    const note = element('span');
    const explain = () => {
      key.replaceChildren(...[shown.key()].filter(Boolean));
      note.textContent = shown.note();
    };
    explain();
    const drawn = chart({
      caption: shown.caption,
      label: shown.label,
      wide: true,
      height: 420,
      above: element(
        'div',
        {class: 'controls'},
        controlsOf(shown, () => {
          explain();
          drawn.rename(shown.caption, shown.label);
        }),
        key,
      ),
      option: (colours) => ({
        grid: grid(),
        tooltip: tooltip(colours, ({data: {point}}) => shown.tipOf(point)),
        xAxis: axis(colours, {
          name: shown.data.axes[shown.x],
          scale: true,
          splitLine: {show: true, lineStyle: {color: colours.grid}},
        }),
        yAxis: axis(colours, {name: shown.data.axes[shown.y], along: 'y', scale: true}),
        series: shown.series(colours),
      }),
      note,
      table: () => shown.table(),
    });
    return [drawn.figure];
  },
};
