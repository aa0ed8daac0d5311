// What nodes recorded during the run, one chart per metric. How well they predict a stream is a panel of its own.
import {isProgressive, Traces} from '../traces.js';
import {linesLegend, linesNote, nodeLines} from './node_lines.js';

const namesOf = (traces) => traces.names.filter((name) => !isProgressive(name));

export const convergence = {
  id: 'convergence',
  title: 'Progress',
  applies(run) {
    const traces = new Traces(run);
    return !traces.empty && namesOf(traces).length > 0;
  },
  render(run) {
    const traces = new Traces(run);
    return [
      linesLegend(traces),
      namesOf(traces).map((name) => nodeLines(traces, name)),
      linesNote(run, traces),
    ];
  },
};
