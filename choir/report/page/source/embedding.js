// Some samples of some nodes, as a document has them: a point is [one coordinate per axis, label].
import {isNumber} from './format.js';
import {listOf, objectOf} from './run.js';

const nameOf = ({name, node}) => (typeof name === 'string' ? name : `node ${node}`);
const inOrder = (words) => [...new Set(words)].sort((a, b) => a.localeCompare(b, 'en', {numeric: true}));

// {axes, entries: [{name, ownName, points: [{at: [coordinates], label, name}]}], labels, names, labelsAre, of, whose}
export class Embedding {
  constructor(run) {
    const data = run.embedding;
    this.of = data.of;
    this.whose = typeof data.whose === 'string' ? data.whose : '';
    this.labelsAre = data.labels_are === 'clusters' ? 'cluster' : 'label';
    this.axes = listOf(data.axes).map(String);
    while (this.axes.length < 2) this.axes.push(`component ${this.axes.length + 1}`);
    this.entries = data.nodes.map((entry) => this.#read(entry)).filter(({points}) => points.length > 0);
    this.labels = inOrder(this.entries.flatMap(({points}) => points.map(({label}) => label)));
    this.names = this.entries.map(({name}) => name);
  }

  #read(entry) {
    const {axes} = this;
    const name = nameOf(objectOf(entry));
    const points = listOf(entry?.points)
      .filter((point) => axes.every((_, place) => isNumber(point?.[place])))
      .map((point) => ({at: point, label: String(point[axes.length] ?? ''), name}));
    return {name, ownName: typeof entry?.name === 'string', points};
  }

  // Other processes may have nodes, too.
  get everyone() {
    return this.whose || 'all nodes';
  }
  get hasLabels() {
    return this.labels.some(Boolean);
  }
}
