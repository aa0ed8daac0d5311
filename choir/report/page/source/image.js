// A picture that comes as the text of an SVG. An image cannot run what an SVG may say.
import {element} from './dom.js';

export const svgImage = (svg, alt) =>
  element('img', {
    alt,
    class: 'picture',
    src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(String(svg))}`,
  });
