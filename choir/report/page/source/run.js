// One run: the document's result and metrics, with questions that several panels ask. Every key is optional.
import {isNumber} from './format.js';
import {kindOf, kindOrder} from './words.js';

export const listOf = (value) => (Array.isArray(value) ? value : []);
export const objectOf = (value) => (value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {});
export const numbersOf = (value) => listOf(value).filter(isNumber);
export const mean = (values) => (values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : NaN);
export const total = (values) => values.reduce((sum, value) => sum + (isNumber(value) ? value : 0), 0);

// Up to 0.1 all sums were of one kind, `statistics`. Nobody knows now which of them were masked, so the page assumes that none were.
function withTodaysKinds(result) {
  const renamed = (counts) =>
    counts?.statistics === undefined
      ? counts
      : Object.fromEntries(Object.entries(counts).map(([key, sent]) => [key === 'statistics' ? 'own_statistics' : key, sent]));
  const changed = {...result};
  for (const key of ['sent_by_kind', 'sent_by_devices']) if (result[key]) changed[key] = renamed(result[key]);
  if (result.ledger?.by_kind) changed.ledger = {...result.ledger, by_kind: renamed(result.ledger.by_kind)};
  return changed;
}

export class Run {
  constructor(document, name = '') {
    this.result = withTodaysKinds(objectOf(document.result));
    this.metrics = listOf(document.metrics).filter((line) => line !== null && typeof line === 'object');
    this.metricsShown = objectOf(document.metrics_shown); // {lines, of}, where the page does not have them all
    this.metricsCut = document.metrics_cut === true;
    this.name = name || (typeof document.name === 'string' ? document.name : '');
  }

  get method() {
    return String(this.result.method ?? '');
  }
  get nodes() {
    return isNumber(this.result.nodes) ? this.result.nodes : 0;
  }
  get hasServer() {
    return this.result.coordination === 'server';
  }
  get someone() {
    return this.hasServer ? 'device' : this.method === 'oneshot-kpca' ? 'party' : 'node';
  }
  get several() {
    return this.someone === 'party' ? 'parties' : `${this.someone}s`;
  }

  // Columns that the eigensolver multiplied by the kernel matrix. A document of central-kpca without `products` has this
  // number under `iterations`.
  get products() {
    const {products, iterations} = this.result;
    return products ?? (this.method === 'central-kpca' ? iterations : undefined);
  }

  // Steps of the method, as the lines of metrics.jsonl count them.
  get iterations() {
    if (this.result.products !== undefined || this.products === undefined) return this.result.iterations;
    const {stage} = this.metrics.at(-1) ?? {};
    const steps = numbersOf(this.metrics.filter((line) => line.stage === stage).map(({iteration}) => iteration));
    return steps.length > 0 ? Math.max(...steps) : undefined;
  }

  // Differential privacy: {epsilon, delta, releases, ...} under `privacy`.
  get isPrivate() {
    return isNumber(objectOf(this.result.privacy).epsilon);
  }

  // What a kind is called, and what a receiver can learn from it.
  kind(key) {
    return kindOf(key, this.isPrivate);
  }

  get hasLedger() {
    return this.result.ledger !== undefined && this.result.ledger !== null;
  }
  get ledger() {
    return objectOf(this.result.ledger);
  }

  // {kind: {messages, bytes}} of those that have data: a server's bytes are not theirs.
  get sentByOwners() {
    return objectOf(this.result.sent_by_devices ?? this.ledger.by_kind);
  }

  // [[kind, {messages, bytes}]], those that sent something, in the order of the kinds.
  kinds(counts = this.ledger.by_kind) {
    const place = (key) => (kindOrder.includes(key) ? kindOrder.indexOf(key) : kindOrder.length);
    return Object.entries(objectOf(counts))
      .filter(([, sent]) => total([sent?.messages, sent?.bytes]) > 0)
      .sort(([a], [b]) => place(a) - place(b));
  }

  get quality() {
    return objectOf(this.result.quality);
  }

  // {name: a number for each component, mean over nodes}
  get qualityByComponent() {
    return Object.fromEntries(Object.entries(this.quality).filter(([, values]) => Array.isArray(values)));
  }

  // {name: number}
  get qualityNumbers() {
    return Object.fromEntries(Object.entries(this.quality).filter(([, value]) => isNumber(value)));
  }

  // {name: [a number for each component, or null for a node without an answer]}
  get qualityByNode() {
    return objectOf(this.quality.per_node);
  }

  // The name, in quality, of what a user of the run gets; nothing without yardsticks.
  get answer() {
    const names = Object.keys(this.qualityByComponent);
    const used = `similarity_${this.result.use}`;
    return [used, 'similarity_neighborhood', 'similarity_shared', 'similarity_own', 'accuracy', 'rmse'].find((name) =>
      names.includes(name),
    );
  }

  // Of one name of qualityByNode: a node's mean over components, NaN where it has no answer.
  nodeMeans(name) {
    return listOf(this.qualityByNode[name]).map((values) => mean(numbersOf(values)));
  }

  // {axes, nodes: [{node, points}], of}. federated-kmeans uses the short name for its kind of embedding.
  get embedding() {
    const found = [this.result.embedded_samples, this.result.embedding].find(
      (value) => listOf(objectOf(value).nodes).length > 0,
    );
    return found ?? null;
  }
}
