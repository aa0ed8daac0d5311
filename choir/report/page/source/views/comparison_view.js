// Several runs side by side.
import {count, listed, some} from '../format.js';
import {options} from '../panels/compared_options.js';
import {inWords, onTheWay, qualities, sideBySide, traffic} from '../panels/comparison.js';
import {confusions} from '../panels/confusions.js';
import {frame, offline} from './frame.js';
import {showSections} from './sections.js';

export function showComparison(runs) {
  const panels = [options, sideBySide, qualities, confusions, onTheWay, traffic, inWords]
    .filter((panel) => panel.applies(runs))
    .map((panel) => ({id: panel.id, title: panel.title, render: () => panel.render(runs)}));
  frame({
    title: some(
      runs.map((run) => run.name),
      4,
    ),
    subtitle: `${count(runs.length)} runs side by side · ${listed([...new Set(runs.map((run) => run.method))])}`,
    footer: `Made by choir from the result.json and metrics.jsonl of the runs. ${offline}`,
    panels,
  });
  showSections(panels);
}
