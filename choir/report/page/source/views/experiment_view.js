// An experiment: its pictures, a chart of each quantity, the whole table.
import {command} from '../command.js';
import {element} from '../dom.js';
import {Experiment} from '../experiment.js';
import {figure, isNumber, seconds} from '../format.js';
import {svgImage} from '../image.js';
import {quantities} from '../panels/quantities.js';
import {facts, folded} from '../table.js';
import {plain} from '../words.js';
import {frame, offline} from './frame.js';
import {showSections} from './sections.js';

const pictureOf = ({name, svg}) =>
  element(
    'figure',
    {class: 'wide'},
    element('figcaption', {}, String(name ?? 'picture')),
    svgImage(svg, String(name ?? 'picture')),
  );

const shown = (name, value) => (name === 'seconds' ? seconds(value) : String(value));

function panelsOf(experiment) {
  return [
    experiment.notes.length > 0 && {
      id: 'notes',
      title: 'Notes',
      render: () => [
        element(
          'ul',
          {class: 'sentences'},
          experiment.notes.map((note) => element('li', {}, note)),
        ),
      ],
    },
    experiment.pictures.length > 0 && {
      id: 'pictures',
      title: 'Pictures',
      render: () => experiment.pictures.map(pictureOf),
    },
    experiment.drawable && {
      id: 'quantities',
      title: 'Measurements',
      render: () => quantities(experiment),
    },
    experiment.rows.length > 0 && {
      id: 'table',
      title: 'Full table',
      render: () => [
        folded(() => ({
          caption: experiment.id,
          columns: experiment.columns.map((title) => ({
            title,
            numeric: experiment.rows.some((row) => isNumber(row[experiment.columns.indexOf(title)])),
          })),
          rows: experiment.rows.map((row) => row.map((value) => (isNumber(value) ? figure(value, 6) : value))),
        })),
      ],
    },
    experiment.about.length > 0 && {
      id: 'about',
      title: 'How to reproduce it',
      render: () => [
        command(experiment.call),
        facts(experiment.about.map(([name, value]) => [plain(name), shown(name, value)])),
      ],
    },
  ].filter(Boolean);
}

export function showExperiment(document) {
  const experiment = new Experiment(document);
  const panels = panelsOf(experiment);
  frame({
    title: experiment.id,
    subtitle: experiment.title,
    footer: `Made by choir from the experiment’s table. ${offline}`,
    panels,
  });
  showSections(panels);
}
