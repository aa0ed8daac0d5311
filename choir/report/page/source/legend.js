// What the colours of a chart mean: text beside it that wraps on a phone, unlike a legend drawn into the picture.
import {element} from './dom.js';

// Names known to the chart library, and what they look like as text.
export const symbols = ['circle', 'triangle', 'rect', 'diamond', 'emptyCircle'];
export const paletteSize = 9;
// Lines (line, thin, dashed) and stripes are drawn by the style.
const glyphs = {circle: '●', triangle: '▲', rect: '■', diamond: '◆', emptyCircle: '○'};

// items: [{words, colour (place in the palette), symbol}]
export function legend(items) {
  return element(
    'ul',
    {class: 'legend'},
    items.map(({words, colour, symbol = 'rect'}) =>
      element(
        'li',
        {},
        element(
          'span',
          {class: `swatch ${symbol}`, 'aria-hidden': 'true', style: `color:var(--c${colour % paletteSize})`},
          glyphs[symbol] ?? '',
        ),
        words,
      ),
    ),
  );
}
