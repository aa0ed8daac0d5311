// What every page has around its sections.
import {element} from '../dom.js';
import {switchTheme, theme, onThemeChange} from '../theme.js';
import {contents} from './sections.js';

function themeSwitch() {
  const button = element('button', {type: 'button', class: 'theme', onclick: switchTheme});
  const say = () => {
    button.textContent = theme().name === 'dark' ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `Switch to ${button.textContent.toLowerCase()} colours`);
  };
  onThemeChange(say);
  say();
  return button;
}

export const offline = 'This file works offline and makes no requests.';

export function frame({title, subtitle, footer, panels}) {
  document.title = `${title} – choir`;
  document
    .getElementById('top')
    .replaceChildren(
      element(
        'div',
        {class: 'title'},
        element('div', {}, element('h1', {}, title), subtitle && element('p', {class: 'subtitle'}, subtitle)),
        themeSwitch(),
      ),
      panels.length > 2 ? contents(panels) : '',
    );
  document.getElementById('bottom').replaceChildren(element('p', {}, footer));
}
