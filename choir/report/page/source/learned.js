// What a run learned from which data, in one sentence.
import {count, percent, plural} from './format.js';
import {listOf, numbersOf, total} from './run.js';

const samples = ({result}) => plural(result.samples ?? 0, 'sample');
const data = (run) => `${samples(run)} of ${plural(run.result.features ?? 0, 'feature')}`;
const have = (run) => `${plural(run.nodes, run.someone, run.several)} with ${data(run)}`;

function components(run, kernel = 'kernel ') {
  const explained = total(numbersOf(run.result.explained_variance_ratio));
  const share = explained > 0 ? ` (${percent(explained, 1)} of the variance)` : '';
  return `${plural(run.result.n_components ?? 0, `${kernel}principal component`)}${share}`;
}

function machine({result}) {
  const classes = listOf(result.classes).length;
  return classes > 0 ? `a classifier of ${plural(classes, 'class', 'classes')}` : 'a regression';
}

function parties(run) {
  const features = `different features (${count(run.result.features ?? 0)} in total) of the same ${samples(run)}`;
  return `${plural(run.nodes, 'party', 'parties')} that know ${features}`;
}

const sentences = {
  'consensus-kpca': (run) => `${have(run)} learned ${components(run)} by exchanging messages with neighbours only.`,
  'gossip-pca': (run) => `${have(run)} learned ${components(run, '')} by gossip.`,
  'oneshot-kpca': (run) => `${parties(run)} learned ${components(run)} with one message per party.`,
  'online-kernel': (run) => `${plural(run.nodes, 'node')} learned ${machine(run)} from streams of ${data(run)}.`,
  'federated-kmeans': (run) =>
    `${have(run)} found ${plural(run.result.clusters ?? 0, 'cluster')} ` +
    `${run.hasServer ? 'through a server that collects sums' : 'without a server'}.`,
  'central-kpca': (run) => `One machine with all ${data(run)} learned ${components(run)}.`,
  'local-kpca': (run) => `${have(run)} learned ${components(run)} each on its own: the baseline without communication.`,
};

export const learnedBy = (run) =>
  sentences[run.method]?.(run) ?? `A run of ${run.method || 'an unknown method'} on ${have(run)}.`;
