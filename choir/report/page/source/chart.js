// A chart is a figure with a caption, a picture and the table behind it. It draws itself once it has a size, and again
// whenever its size or the colours change.
//
//   const {figure, redraw} = chart({caption: 'gap', label: 'from .28 to .004', option: (colours, width) => ({...}),
//                                   table: () => ({caption: '...', columns: [...], rows: [...]})});
import {BarChart, CustomChart, GraphChart, LineChart, ScatterChart} from 'echarts/charts';
import {GridComponent, MarkLineComponent, TooltipComponent} from 'echarts/components';
import {init, use} from 'echarts/core';
import {SVGRenderer} from 'echarts/renderers';

import {element, freshId} from './dom.js';
import {bytesMarks} from './format.js';
import {folded} from './table.js';
import {onPaper, onThemeChange, theme} from './theme.js';

use([
  BarChart,
  CustomChart,
  GraphChart,
  LineChart,
  ScatterChart,
  GridComponent,
  MarkLineComponent,
  TooltipComponent,
  SVGRenderer,
]);

const font = 'system-ui, "Helvetica Neue", Helvetica, Arial, "DejaVu Sans", sans-serif';
const paperWidth = 330; // pixels of half a page of A4; the browser does not lay out before it prints
const paperWidthWide = 680;

function draw(picture, option, width) {
  const colours = theme();
  picture.setOption(
    {
      animation: false,
      color: colours.palette,
      textStyle: {fontFamily: font, color: colours.ink},
      ...option(colours, width),
    },
    {notMerge: true},
  );
}

function keepDrawn(place, option, wide) {
  let picture = null;
  const redraw = () => {
    if (!place.clientWidth) return;
    const width = onPaper() ? (wide ? paperWidthWide : paperWidth) : place.clientWidth;
    picture ??= init(place, null, {renderer: 'svg', width, height: place.clientHeight});
    picture.resize({width, height: place.clientHeight});
    draw(picture, option, width);
  };
  new ResizeObserver(redraw).observe(place);
  onThemeChange(redraw);
  return redraw;
}

export function chart({caption, label, option, table, height = 260, wide = false, note = null, above = null}) {
  const id = freshId('caption');
  const place = element('div', {
    class: 'chart',
    role: 'img',
    'aria-label': label ? `${caption}: ${label}` : caption,
    style: `height:${height}px`,
  });
  const redraw = keepDrawn(place, option, wide);
  const heading = element('figcaption', {id}, caption);
  const figure = element(
    'figure',
    {'aria-labelledby': id, class: wide ? 'wide' : null},
    heading,
    above,
    place,
    note && element('p', {class: 'note'}, note),
    table && folded(table),
  );
  // For charts whose controls change what is shown.
  const rename = (words, said) => {
    heading.textContent = words;
    place.setAttribute('aria-label', said ? `${words}: ${said}` : words);
    redraw();
  };
  return {figure, redraw, rename};
}

// A tooltip's lines, as text.
export const tip = (...lines) =>
  element(
    'div',
    {class: 'tip'},
    lines.filter(Boolean).map((line) => element('div', {}, line)),
  );

// Of all that is drawn at one place of an axis, counted from 0: lines(place).
export const tooltipAt = (colours, lines) =>
  tooltip(colours, ([{dataIndex}]) => tip(...lines(dataIndex)), 'axis');

export const tooltip = (colours, formatter, trigger = 'item') => ({
  trigger,
  formatter,
  confine: true,
  backgroundColor: colours.surface,
  borderColor: colours.axis,
  textStyle: {color: colours.ink, fontFamily: font, fontSize: 12},
  axisPointer: {lineStyle: {color: colours.axis}, shadowStyle: {color: colours.axis, opacity: 0.15}},
});

// A name along the side has the height of the chart; half of one helps nobody, and the caption says it too.
const longestBeside = 34;

export const axis = (colours, {name, type = 'value', along = 'x', ...rest}) => ({
  type,
  name: along === 'y' && name?.length > longestBeside ? '' : name,
  nameLocation: 'middle',
  nameGap: along === 'x' ? 26 : 44,
  nameTextStyle: {color: colours.soft, fontSize: 12},
  axisLabel: {color: colours.soft, fontSize: 11, hideOverlap: type !== 'category'},
  axisLine: {show: along === 'x', onZero: false, lineStyle: {color: colours.axis}},
  axisTick: {show: along === 'x', lineStyle: {color: colours.axis}},
  splitLine: {show: along === 'y', lineStyle: {color: colours.grid}},
  ...rest,
});

export function bytesAxis(colours, along, largest) {
  const {interval, max, words} = bytesMarks(largest);
  return axis(colours, {
    along,
    interval,
    max,
    splitLine: {show: true, lineStyle: {color: colours.grid}},
    axisLabel: {color: colours.soft, fontSize: 11, hideOverlap: true, formatter: words},
  });
}

const ten = (exponent) => 10 ** exponent;

// An axis of powers of ten that begins with the one below the smallest value and ends with the one above the largest.
export function powers(values) {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return {type: 'value'};
  const low = Math.floor(Math.log10(positive.reduce((a, b) => Math.min(a, b))));
  const high = Math.ceil(Math.log10(positive.reduce((a, b) => Math.max(a, b))));
  return {type: 'log', min: ten(low), max: ten(Math.max(high, low + 1)), interval: Math.ceil((high - low) / 5)};
}

export const grid = (rest = {}) => ({left: 62, right: 16, top: 12, bottom: 44, ...rest});
