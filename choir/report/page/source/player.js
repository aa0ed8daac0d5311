// A slider over the steps of a run, which begins at the last, and a button that replays them.
import {element, freshId} from './dom.js';
import {count} from './format.js';

const replay = 6000; // milliseconds for all steps

export function player(word, steps, onstep) {
  const id = freshId('step');
  const output = element('output', {for: id});
  const slider = element('input', {
    id,
    type: 'range',
    min: '0',
    max: String(steps.length - 1),
    step: '1',
    value: String(steps.length - 1),
    oninput: () => {
      stop();
      show();
    },
  });
  const button = element('button', {type: 'button', class: 'play', onclick: () => (timer ? stop() : start())}, 'Play');
  let timer = null;

  function tell() {
    output.textContent = `${word} ${count(steps[slider.value])} of ${count(steps.at(-1))}`;
    slider.setAttribute('aria-valuetext', output.textContent);
  }
  function show() {
    tell();
    onstep(steps[slider.value]);
  }
  function stop() {
    clearInterval(timer);
    timer = null;
    button.textContent = 'Play';
  }
  function advance() {
    if (Number(slider.value) >= steps.length - 1) return stop();
    slider.value = String(Number(slider.value) + 1);
    show();
  }
  function start() {
    if (Number(slider.value) >= steps.length - 1) slider.value = '0';
    show();
    timer = setInterval(advance, Math.max(60, replay / steps.length));
    button.textContent = 'Pause';
  }

  tell();
  return element('div', {class: 'player'}, button, element('label', {for: id}, `Replay by ${word}`), slider, output);
}
