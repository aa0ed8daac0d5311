// Several runs side by side.
import {count, listed} from '../format.js';
import {inWords, onTheWay, qualities, sideBySide, traffic} from '../panels/comparison.js';
import {frame} from './frame.js';
import {showSections} from './sections.js';

export function showComparison(runs) {
  const panels = [sideBySide, qualities, onTheWay, traffic, inWords]
    .filter((panel) => panel.applies(runs))
    .map((panel) => ({id: panel.id, title: panel.title, render: () => panel.render(runs)}));
  frame({
    title: `${count(runs.length)} runs side by side`,
    subtitle: listed([...new Set(runs.map((run) => run.method))]),
    footer:
      'Made by choir from the result.json and metrics.jsonl of the runs. This file needs no network and asks for none.',
    panels,
  });
  showSections(panels);
}
