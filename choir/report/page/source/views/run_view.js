// The page of one run.
import {panels} from '../panels/index.js';
import {methods} from '../words.js';
import {frame} from './frame.js';
import {showSections} from './sections.js';

export function showRun(run) {
  const own = panels
    .filter((panel) => panel.applies(run))
    .map((panel) => ({id: panel.id, title: panel.title, render: () => panel.render(run)}));
  const {result} = run;
  frame({
    title: methods[run.method] ?? (run.method || 'A run'),
    subtitle: [result.title, result.method, result.engine && `engine ${result.engine}`, result.started]
      .filter(Boolean)
      .map(String)
      .join(' · '),
    footer:
      `Made by choir${result.choir ? ` ${result.choir}` : ''} from result.json and metrics.jsonl of the run. ` +
      'This file needs no network and asks for none.',
    panels: own,
  });
  showSections(own);
}
