// Reads the document and shows what it describes: a run, several runs side by side, an experiment, or a folder of
// experiments.
import {element} from './dom.js';
import {listOf, objectOf, Run} from './run.js';
import {startTheme} from './theme.js';
import {showComparison} from './views/comparison_view.js';
import {showContents} from './views/contents_view.js';
import {showExperiment} from './views/experiment_view.js';
import {showRun} from './views/run_view.js';

function show(document_) {
  if (document_.experiment) return showExperiment(objectOf(document_.experiment));
  if (Array.isArray(document_.experiments)) return showContents(document_.experiments);
  if (Array.isArray(document_.runs))
    return showComparison(
      listOf(document_.runs).map((entry, place) => new Run(objectOf(entry), String(entry?.name ?? `run ${place + 1}`))),
    );
  return showRun(new Run(document_));
}

function start() {
  startTheme();
  try {
    show(objectOf(JSON.parse(document.getElementById('run').textContent)));
  } catch (error) {
    document
      .getElementById('content')
      .append(element('p', {class: 'warns'}, `The document of this page cannot be read: ${error.message}`));
    throw error;
  }
}

start();
