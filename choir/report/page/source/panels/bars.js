// One bar for each of a few things that are counted from 0: samples per cluster, vectors per party.
import {axis, chart, grid, tip, tooltip} from '../chart.js';
import {count} from '../format.js';

// `of` and `things`: 'cluster' and 'samples'.
export function countBars({counts, of, things, caption, tableCaption, note}) {
  const names = counts.map((_, place) => String(place));
  return chart({
    caption,
    label: counts.map((value, place) => `${of} ${place} ${count(value)}`).join(', '),
    option: (colours) => ({
      grid: grid(),
      tooltip: tooltip(colours, ({name, value}) => tip(`${of} ${name}`, `${count(value)} ${things}`)),
      xAxis: axis(colours, {name: of, type: 'category', data: names}),
      yAxis: axis(colours, {name: things, along: 'y'}),
      series: [{type: 'bar', data: counts, barMaxWidth: 40, itemStyle: {color: colours.palette[0]}}],
    }),
    note,
    table: () => ({
      caption: tableCaption,
      columns: [{title: of}, {title: things, numeric: true}],
      rows: counts.map((value, place) => [place, count(value)]),
    }),
  }).figure;
}
