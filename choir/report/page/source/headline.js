// The run in a few sentences: what was learned from how many, how good it is, how sure, and at what cost.
import {bytes, capitalised, count, figure, isNumber, percent, plural, seconds, similarity} from './format.js';
import {learnedBy} from './learned.js';
import {mean, numbersOf, objectOf, total} from './run.js';
import {qualityOf} from './words.js';

function similarityWords(run) {
  const by = run.qualityByComponent;
  const of = (name) => similarity(mean(numbersOf(by[name])));
  const against = ['local', 'gather_neighborhood']
    .filter((name) => by[name] && name !== run.answer)
    .map((name) => `${qualityOf(name).name} reaches ${of(name)}`);
  const name = run.answer ?? (by.local ? 'local' : null);
  if (!name || !name.match(/^similarity|^local$/)) return null;
  const others = name === 'local' ? [] : against;
  const reached = [of(name), ...others].join('; ');
  return `Similarity to what one machine with all samples finds, mean over ${run.several} and components: ${reached} (1 is the same).`;
}

function numberSentences(run) {
  const q = run.qualityNumbers;
  const accuracy = q.accuracy ?? mean(numbersOf(run.qualityByComponent.accuracy));
  const rmse = mean(numbersOf(run.qualityByComponent.rmse));
  return [
    isNumber(q.excess_error) &&
      `Error ${percent(q.excess_error, 2)} above that of the best components of all data in one place; ` +
        `smallest cosine to their subspace ${similarity(q.subspace_cosine_min)}.`,
    isNumber(q.subspace_error) &&
      `Subspace error ${figure(q.subspace_error)} against kernel PCA of all features in one place (0 is the same).`,
    isNumber(q.nmi) &&
      `Against the labels: mutual information ${similarity(q.nmi)}, adjusted Rand index ${similarity(q.ari)}, ` +
        `accuracy of the best naming ${similarity(accuracy)}.`,
    isNumber(q.cost_ratio) &&
      `Its cost is ${figure(q.cost_ratio, 5)} of that of kernel k-means of all samples in one place.`,
    run.answer === 'accuracy' &&
      isNumber(accuracy) &&
      `Accuracy on the test samples ${percent(accuracy, 1)}, mean over nodes.`,
    isNumber(rmse) && `Root mean squared error on the test samples ${figure(rmse)}, mean over nodes.`,
  ].filter(Boolean);
}

function spread(run) {
  const values = run.answer ? run.nodeMeans(run.answer).filter(isNumber) : [];
  if (values.length < 2) return null;
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  if (similarity(low) === similarity(high)) return `All ${run.several} are at ${similarity(low)}.`;
  return `${capitalised(run.several)} lie between ${similarity(low)} and ${similarity(high)}.`;
}

const stepWords = {'online-kernel': ['round'], 'gossip-pca': ['message of a node', 'messages of a node']};

function ending(run) {
  const {converged, iterations, residual} = run.result;
  const after =
    isNumber(iterations) && iterations > 0
      ? ` after ${plural(iterations, ...(stepWords[run.method] ?? ['iteration']))}`
      : '';
  const left = isNumber(residual) ? `, residual ${figure(residual)}` : '';
  if (converged === true) return `Converged${after}${left}.`;
  if (converged === false) return `Not converged${after}${left}: the figures are those of an unfinished run.`;
  return after ? `A run of fixed length, ended${after}.` : null;
}

function cost(run) {
  const {time, memory_peak_bytes: memory} = run.result;
  const taken = [
    isNumber(time?.total_s) && seconds(time.total_s),
    isNumber(memory) && `${bytes(memory)} of memory at most`,
  ].filter(Boolean);
  const sent = sentByOne(run);
  const words =
    sent === null ? '' : sent > 0 ? `${bytes(sent)} left a ${run.someone} on average; ` : 'Nothing was sent; ';
  return words || taken.length ? `${words}${taken.join(' and ')}.` : null;
}

// Bytes, a mean over nodes; nothing without a ledger.
export function sentByOne(run) {
  if (!run.hasLedger || run.nodes === 0) return null;
  const devices = run.result.sent_by_devices;
  const sent = devices ? total(Object.values(objectOf(devices)).map((kind) => kind?.bytes)) : total([run.ledger.bytes]);
  return sent / run.nodes;
}

// {what, quality: [sentence], sure: [sentence], cost: sentence or nothing}
export function headline(run) {
  return {
    what: learnedBy(run),
    quality: [similarityWords(run), ...numberSentences(run)].filter(Boolean),
    sure: [ending(run), spread(run)].filter(Boolean),
    cost: cost(run),
  };
}

// The one number of a run, for tiles and comparisons: {value, words}; nothing without a yardstick.
export function mainFigure(run) {
  const by = run.qualityByComponent;
  const q = run.qualityNumbers;
  if (run.answer?.startsWith('similarity'))
    return {value: similarity(mean(numbersOf(by[run.answer]))), words: 'similarity to central'};
  if (run.answer === 'accuracy')
    return {value: percent(mean(numbersOf(by.accuracy)), 1), words: 'accuracy on test samples'};
  if (run.answer === 'rmse') return {value: figure(mean(numbersOf(by.rmse))), words: 'root mean squared error'};
  if (isNumber(q.nmi)) return {value: similarity(q.nmi), words: 'mutual information with the labels'};
  if (isNumber(q.cost_ratio)) return {value: figure(q.cost_ratio), words: 'of the central cost'};
  if (isNumber(q.excess_error)) return {value: percent(q.excess_error), words: 'error above the best'};
  if (isNumber(q.subspace_error)) return {value: figure(q.subspace_error), words: 'subspace error'};
  if (by.local) return {value: similarity(mean(numbersOf(by.local))), words: 'similarity to central'};
  const explained = total(numbersOf(run.result.explained_variance_ratio));
  return explained > 0 ? {value: percent(explained, 1), words: 'variance explained'} : null;
}
