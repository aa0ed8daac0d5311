// The run in a few sentences: what was learned from which data, how good the answer is, how the run ended, what it cost.
import {bytes, capitalised, count, figure, isNumber, percent, plural, seconds, similarity} from './format.js';
import {learnedBy} from './learned.js';
import {listOf, mean, numbersOf, objectOf, total} from './run.js';
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
  return `Similarity to the solution of one machine with all samples, mean over ${run.several} and components: ${reached} (1 means identical).`;
}

// What the nodes themselves could say about the answer, without anybody having all samples.
function claimWords(run) {
  const claims = numbersOf(objectOf(run.result.assessment).claimed_similarity);
  if (claims.length === 0) return null;
  const least = claims.reduce((a, b) => Math.min(a, b));
  const weakest = claims.length > 1 ? ` for component ${claims.indexOf(least) + 1}, the weakest` : '';
  const share = objectOf(run.result.assessment).captured_share;
  const captured = isNumber(share) ? `, and ${percent(share, 1)} of the variance that central components capture` : '';
  return `Claimed by the nodes, without pooling: a similarity of ${similarity(least)}${weakest}${captured}.`;
}

// Why not to rely on the answer, a sentence each.
const weaknesses = (run) => listOf(objectOf(run.result.assessment).weaknesses).map(String);
export const weak = (run) => weaknesses(run).length > 0;

// Of a stream, whether there is a test or not.
function progressSentences({qualityByComponent: by}) {
  const accuracy = mean(numbersOf(by.progressive_accuracy));
  const rmse = mean(numbersOf(by.progressive_rmse));
  return [
    isNumber(accuracy) &&
      `Accuracy on samples before they were learned from: ${percent(accuracy, 1)}, mean over nodes.`,
    isNumber(rmse) &&
      `Root mean squared error on samples before they were learned from: ${figure(rmse)}, mean over nodes.`,
  ];
}

function numberSentences(run) {
  const q = run.qualityNumbers;
  const accuracy = q.accuracy ?? mean(numbersOf(run.qualityByComponent.accuracy));
  const rmse = mean(numbersOf(run.qualityByComponent.rmse));
  return [
    isNumber(q.excess_error) &&
      `The error is ${percent(q.excess_error, 2)} above that of the best components of all data in one place; ` +
        `the smallest cosine to their subspace is ${similarity(q.subspace_cosine_min)}.`,
    isNumber(q.subspace_error) &&
      `The subspace error relative to kernel PCA on all features in one place is ${figure(q.subspace_error)} (0 means identical).`,
    isNumber(q.nmi) &&
      `Against the labels: normalised mutual information ${similarity(q.nmi)}, adjusted Rand index ${similarity(q.ari)}, ` +
        `accuracy ${similarity(accuracy)} under the best matching of clusters to labels.`,
    isNumber(q.cost_ratio) &&
      `The clustering cost is ${figure(q.cost_ratio, 5)} times that of kernel k-means on all samples in one place.`,
    run.answer === 'accuracy' &&
      isNumber(accuracy) &&
      `Accuracy on the test samples: ${percent(accuracy, 1)}, mean over nodes.`,
    isNumber(rmse) && `Root mean squared error on the test samples: ${figure(rmse)}, mean over nodes.`,
    ...progressSentences(run),
  ].filter(Boolean);
}

function spread(run) {
  const values = run.answer ? run.nodeMeans(run.answer).filter(isNumber) : [];
  if (values.length < 2) return null;
  const low = values.reduce((a, b) => Math.min(a, b));
  const high = values.reduce((a, b) => Math.max(a, b));
  if (similarity(low) === similarity(high)) return `All ${run.several} reach ${similarity(low)}.`;
  return `${capitalised(run.several)} range from ${similarity(low)} to ${similarity(high)}.`;
}

const stepWords = {'online-kernel': ['round'], 'gossip-pca': ['message per node', 'messages per node']};

function ending(run) {
  const {converged, residual} = run.result;
  const steps = stepsOf(run);
  const after = steps ? ` after ${steps}` : '';
  const left = isNumber(residual) ? `, residual ${figure(residual)}` : '';
  const doubts = weaknesses(run).map((words) => ` ${capitalised(words)}.`);
  if (converged === true) return [`Converged${after}${left}.`, ...doubts].join('');
  if (converged === false) return `Not converged${after}${left}: the figures are those of an unfinished run.`;
  return steps ? `The run had a fixed length and ended after ${steps}.` : null;
}

// Iterations, and how often an eigensolver multiplied a column by the kernel matrix, which are not the same.
function stepsOf(run) {
  const {iterations, products} = run;
  const steps =
    isNumber(iterations) && iterations > 0 && plural(iterations, ...(stepWords[run.method] ?? ['iteration']));
  const multiplied =
    isNumber(products) && products > 0 && `${plural(products, 'product')} with the kernel matrix`;
  return steps && multiplied ? `${steps} (${multiplied})` : steps || multiplied || '';
}

// Whether the figures are those of a run that did not get to its end, or of an answer that it calls weak itself.
export const unfinished = (run) => run.result.converged === false;
export const doubtful = (run) => unfinished(run) || weak(run);

function cost(run) {
  const {time, memory_peak_bytes: memory} = run.result;
  const taken = [
    isNumber(time?.total_s) && seconds(time.total_s),
    isNumber(memory) && `at most ${bytes(memory)} of memory`,
  ].filter(Boolean);
  const sent = sentByOne(run);
  const words = [
    sent > 0 && `Each ${run.someone} sent ${bytes(sent)} on average.`,
    sent === 0 && 'Nothing was sent.',
    taken.length > 0 && `The run took ${taken.join(' and ')}.`,
  ].filter(Boolean);
  return words.length > 0 ? words.join(' ') : null;
}

// Bytes, mean over nodes; null without a ledger.
export function sentByOne(run) {
  if (!run.hasLedger || run.nodes === 0) return null;
  const devices = run.result.sent_by_devices;
  const sent = devices ? total(Object.values(objectOf(devices)).map((kind) => kind?.bytes)) : total([run.ledger.bytes]);
  return sent / run.nodes;
}

// {what, quality: [sentence], ending, spread, cost}; the last three are a sentence or null.
export function headline(run) {
  return {
    what: learnedBy(run),
    quality: [similarityWords(run), ...numberSentences(run), claimWords(run)].filter(Boolean),
    ending: ending(run),
    spread: spread(run),
    cost: cost(run),
  };
}

// The one number of a run, for tiles and comparisons: {value, words}; null where nothing was measured.
export function mainFigure(run) {
  const by = run.qualityByComponent;
  const q = run.qualityNumbers;
  if (run.answer?.startsWith('similarity'))
    return {value: similarity(mean(numbersOf(by[run.answer]))), words: 'similarity to central'};
  if (run.answer === 'accuracy')
    return {value: percent(mean(numbersOf(by.accuracy)), 1), words: 'accuracy on test samples'};
  if (run.answer === 'rmse') return {value: figure(mean(numbersOf(by.rmse))), words: 'root mean squared error'};
  if (isNumber(q.nmi)) return {value: similarity(q.nmi), words: 'mutual information with the labels'};
  if (isNumber(q.cost_ratio)) return {value: figure(q.cost_ratio), words: 'times the central cost'};
  if (isNumber(q.excess_error)) return {value: percent(q.excess_error), words: 'error above the best'};
  if (isNumber(q.subspace_error)) return {value: figure(q.subspace_error), words: 'subspace error'};
  const accuracy = mean(numbersOf(by.progressive_accuracy));
  if (isNumber(accuracy)) return {value: percent(accuracy, 1), words: 'accuracy before learning'};
  const rmse = mean(numbersOf(by.progressive_rmse));
  if (isNumber(rmse)) return {value: figure(rmse), words: 'error (rmse) before learning'};
  if (by.local) return {value: similarity(mean(numbersOf(by.local))), words: 'similarity to central'};
  const explained = total(numbersOf(run.result.explained_variance_ratio));
  return explained > 0 ? {value: percent(explained, 1), words: 'variance explained'} : null;
}
