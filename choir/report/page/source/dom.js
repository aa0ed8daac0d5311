// Elements whose children are other elements or text. Nothing here or elsewhere parses HTML, so whatever a file name
// or a label says is shown as it is.

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

let last = 0;
export const freshId = (word) => `${word}-${++last}`;

export function select(label, choices, onchange) {
  const id = freshId('choice');
  const list = element(
    'select',
    {id, onchange: () => onchange(list.value)},
    choices.map(({value, words}) => element('option', {value}, words)),
  );
  return {control: element('span', {class: 'control'}, element('label', {for: id}, label), list), list};
}
