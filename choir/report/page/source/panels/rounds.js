// Every sum that a federation collected: how many devices answered, were silent, or refused.
import {axis, chart, grid, tooltipAt} from '../chart.js';
import {count, isNumber, plural} from '../format.js';
import {legend} from '../legend.js';
import {thinnedWords} from '../recorded.js';
import {panelOf} from './panel.js';

const fates = [
  {key: 'answered', colour: 0},
  {key: 'silent', colour: 4},
  {key: 'refused', colour: 1},
];
const sumsOf = (run) => run.metrics.filter((line) => isNumber(line.answered) && isNumber(line.round));

export const rounds = panelOf('rounds', 'Sums, round by round', sumsOf, (sums, run) => {
  const missing = sums.filter(({silent, refused}) => silent > 0 || refused > 0).length;
  return [
    chart({
      caption: `Answers to ${plural(sums.length, 'sum')}`,
      wide: true,
      label:
        missing === 0
          ? 'all devices answered every sum'
          : `devices were silent or refused in ${plural(missing, 'sum')}`,
      above: legend(fates.map(({key, colour}) => ({words: key, colour}))),
      option: (colours) => ({
        grid: grid(),
        tooltip: tooltipAt(colours, (place) => [
          `round ${sums[place].round}: ${sums[place].what ?? 'sum'}`,
          ...fates.map(({key}) => `${key}: ${count(sums[place][key] ?? 0)}`),
          isNumber(sums[place].attempts) && sums[place].attempts > 1 && `${sums[place].attempts} attempts`,
        ]),
        xAxis: axis(colours, {name: 'round', type: 'category', data: sums.map(({round}) => String(round))}),
        yAxis: axis(colours, {name: 'devices', along: 'y', minInterval: 1}),
        series: fates.map(({key, colour}) => ({
          type: 'bar',
          stack: 'devices',
          barCategoryGap: '20%',
          data: sums.map((sum) => sum[key] ?? 0),
          itemStyle: {color: colours.palette[colour]},
        })),
      }),
      note: thinnedWords(run),
      table: () => ({
        caption: 'Sums',
        columns: ['round', 'what', 'answered', 'silent', 'refused', 'samples', 'attempts'].map((title) => ({
          title,
          numeric: title !== 'what',
        })),
        rows: sums.map((sum) => [
          sum.round,
          sum.what,
          ...['answered', 'silent', 'refused', 'samples', 'attempts'].map((key) =>
            isNumber(sum[key]) ? count(sum[key]) : null,
          ),
        ]),
      }),
    }).figure,
  ];
});
