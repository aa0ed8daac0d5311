// A page is a list of sections, each with a heading and an entry in the list at the top. Sections are filled one after the
// other, so that the first can be read while the last is still being drawn.
import {element} from '../dom.js';

function section({id, title}) {
  const heading = `${id}-title`;
  return element('section', {id, 'aria-labelledby': heading}, element('h2', {id: heading}, title));
}

const filled = (children) =>
  children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);

function broken(id, error) {
  console.error(`the panel ${id} could not be drawn`, error);
  return element('p', {class: 'warns'}, `This panel could not be drawn: ${error.message}`);
}

function fill(place, panel) {
  try {
    place.append(element('div', {class: 'panel'}, filled(panel.render())));
  } catch (error) {
    place.append(broken(panel.id, error));
  }
}

// panels: [{id, title, render()}]
export function showSections(panels) {
  const main = document.getElementById('content');
  const places = panels.map((panel) => main.appendChild(section(panel)));
  const waiting = panels.map((panel, place) => () => fill(places[place], panel));
  const next = () => {
    const work = waiting.shift();
    if (!work) {
      document.documentElement.dataset.ready = 'true';
      return;
    }
    work();
    setTimeout(next);
  };
  next();
}

export function contents(panels) {
  return element(
    'nav',
    {'aria-label': 'Contents'},
    element(
      'ul',
      {},
      panels.map(({id, title}) => element('li', {}, element('a', {href: `#${id}`}, title))),
    ),
  );
}
