// A folder of experiments: one card per experiment, grouped by method, that leads to its page.
import {element} from '../dom.js';
import {count, seconds, isNumber} from '../format.js';
import {svgImage} from '../image.js';
import {listOf, objectOf} from '../run.js';
import {frame, offline} from './frame.js';
import {showSections} from './sections.js';

// Only pages below this one: a document is data, and data do not lead anywhere else.
const isBelow = (page) => typeof page === 'string' && /^[\w-][\w./-]*\.html$/.test(page) && !page.includes('..');

const howRun = ({quick, seeds, seconds: time, started}) =>
  [
    quick ? 'small sizes' : isNumber(seeds) && `${count(seeds)} ${seeds === 1 ? 'repetition' : 'repetitions'}`,
    isNumber(time) && seconds(time),
    typeof started === 'string' && started.slice(0, 10),
  ]
    .filter(Boolean)
    .join(', ');

function card(entry) {
  const id = String(entry.id ?? '');
  return element(
    'li',
    {class: 'card'},
    element('h3', {}, isBelow(entry.page) ? element('a', {href: entry.page}, id) : id),
    element('p', {}, String(entry.shows ?? '')),
    entry.svg && svgImage(entry.svg, ''),
    element('p', {class: 'note'}, howRun(entry)),
  );
}

const methodOf = (entry) => String(entry.id ?? '').split('/')[0];

export function showContents(experiments) {
  const entries = listOf(experiments).map(objectOf);
  const panels = [...new Set(entries.map(methodOf))].map((method) => ({
    id: `of-${method.replace(/[^\w-]/g, '-')}`,
    title: method,
    render: () => [element('ul', {class: 'cards'}, entries.filter((entry) => methodOf(entry) === method).map(card))],
  }));
  frame({
    title: 'Experiments',
    subtitle: `${count(entries.length)} in this folder`,
    footer: `Made by choir from the experiments’ tables. ${offline}`,
    panels,
  });
  showSections(panels);
}
