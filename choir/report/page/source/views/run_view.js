// The page of one run.
import {panels} from '../panels/index.js';
import {methods} from '../words.js';
import {frame, offline} from './frame.js';
import {showSections} from './sections.js';

export function showRun(run) {
  const own = panels
    .filter((panel) => panel.applies(run))
    .map((panel) => ({id: panel.id, title: panel.title, render: () => panel.render(run)}));
  const {result} = run;
  const what = methods[run.method] ?? (run.method || 'A run');
  frame({
    title: run.name || what,
    subtitle: [
      run.name && what,
      result.title,
      result.method,
      result.engine && `engine ${result.engine}`,
      result.started,
    ]
      .filter(Boolean)
      .map(String)
      .join(' · '),
    footer:
      `Made by choir${result.choir ? ` ${result.choir}` : ''} from the run’s result.json and metrics.jsonl. ${offline}`,
    panels: own,
  });
  showSections(own);
}
