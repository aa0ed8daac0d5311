// How well a stream is predicted while it is learned from: every sample is predicted first (test, then train).
import {element} from '../dom.js';
import {figure, isNumber, percent} from '../format.js';
import {mean, numbersOf} from '../run.js';
import {Traces} from '../traces.js';
import {linesLegend, linesNote, nodeLines} from './node_lines.js';

// The curve in which drift shows comes first.
const order = ['recent_loss', 'progressive_loss', 'progressive_accuracy', 'progressive_rmse'];

function found(run) {
  const traces = new Traces(run, 'samples');
  const names = order.filter((name) => traces.names.includes(name));
  return traces.empty || names.length === 0 ? null : {traces, names};
}

// How the run ended up, over all samples of all nodes.
function totals({result: {progressive_loss: loss, recent_loss: recent}, qualityByComponent: quality}) {
  const accuracy = mean(numbersOf(quality.progressive_accuracy));
  const rmse = mean(numbersOf(quality.progressive_rmse));
  const words = [
    isNumber(accuracy) && `accuracy ${percent(accuracy, 1)} (mean over nodes)`,
    isNumber(rmse) && `root mean squared error ${figure(rmse)} (mean over nodes)`,
    isNumber(loss) && `loss ${figure(loss)}`,
    isNumber(recent) && `of late ${figure(recent)}`,
  ].filter(Boolean);
  return words.length > 0 ? ` At the end: ${words.join(', ')}.` : '';
}

export const progressive = {
  id: 'progressive',
  title: 'Predicted before learned',
  applies: (run) => found(run) !== null,
  render(run) {
    const {traces, names} = found(run);
    return [
      element(
        'p',
        {},
        'Every node predicts each sample before it learns from it, so these figures are those of samples that the node had ' +
          'not seen. The recent loss rises where the stream changes; figures of all samples so far hardly show it.' +
          totals(run),
      ),
      linesLegend(traces),
      names.map((name) => nodeLines(traces, name)),
      linesNote(run, traces),
    ];
  },
};
