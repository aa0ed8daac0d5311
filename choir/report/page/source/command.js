// The command that reproduces what is shown, with a button that copies it.
import {element} from './dom.js';

// A page from disk may not be allowed to write to the clipboard; selected text can be copied by hand.
async function copy(text, from, status) {
  try {
    await navigator.clipboard.writeText(text);
    status.textContent = 'Copied.';
  } catch {
    getSelection().selectAllChildren(from);
    status.textContent = document.execCommand('copy') ? 'Copied.' : 'Selected; copy it with the keyboard.';
  }
}

// Lines end between words, not behind the dashes of an option.
const wordByWord = (text) =>
  text.split(/(\s+)/).map((part) => (part.trim() ? element('span', {class: 'word'}, part) : part));

// Of a run or an experiment; `shown_command` is shown in place of what is copied, `command_note` is about it.
export function command(result) {
  const text = result.command ?? result.shown_command;
  if (typeof text !== 'string') return null;
  const status = element('span', {role: 'status', class: 'status'});
  const words = element('code', {}, wordByWord(typeof result.shown_command === 'string' ? result.shown_command : text));
  const button = element('button', {type: 'button', onclick: () => copy(text, words, status)}, 'Copy the command');
  return element(
    'div',
    {class: 'command'},
    element('pre', {tabindex: '0', 'aria-label': 'The command that reproduces the run'}, words),
    typeof result.command_note === 'string' && element('p', {class: 'note'}, result.command_note),
    element('p', {}, button, status),
  );
}
