// Whether all nodes are as good as the mean: one dot per node.
import {axis, chart, grid, tip, tooltip} from '../chart.js';
import {capitalised, figure, isNumber, plural} from '../format.js';
import {legend} from '../legend.js';
import {mean} from '../run.js';
import {thinned} from '../traces.js';
import {qualityOf} from '../words.js';
import {panelOf} from './panel.js';

const mostDots = 400;

export const nodeQuality = panelOf('node-quality', 'Node by node', chosen, (names, run) => {
  const byName = names.map((name) =>
    run
      .nodeMeans(name)
      .map((value, node) => [node, value])
      .filter(([, value]) => isNumber(value)),
  );
  const [main] = byName;
  const bars = names[0] === 'accuracy' || names[0] === 'rmse';
  const words = names.map((name) => qualityOf(name).name);
  return [
    chart({
      caption: bars ? `${capitalised(words[0])} of each node` : 'Similarity of each node, mean over components',
      wide: true,
      label: `${words[0]} ${figure(mean(main.map(([, value]) => value)))} on average, ${plural(main.length, 'node')}`,
      above: legend(
        names.map((name) => ({
          words: qualityOf(name).name,
          colour: bars ? 0 : qualityOf(name).colour,
          symbol: bars ? 'rect' : 'circle',
        })),
      ),
      option: (colours) => ({
        grid: grid(),
        tooltip: tooltip(colours, ({data: [node, value], seriesName}) =>
          tip(`node ${node}`, `${seriesName}: ${figure(value)}`),
        ),
        xAxis: axis(
          colours,
          bars
            ? {name: 'node', type: 'category'}
            : {
                name: 'node',
                min: -0.5,
                max: main.at(-1)[0] + 0.5,
                minInterval: 1,
                axisLabel: {
                  color: colours.soft,
                  fontSize: 11,
                  hideOverlap: true,
                  formatter: (value) => (Number.isInteger(value) ? value : ''),
                },
              },
        ),
        yAxis: axis(colours, {
          name: bars ? words[0] : 'similarity',
          along: 'y',
          scale: !bars,
          min: bars ? 0 : undefined,
        }),
        series: byName.map((points, place) => {
          const colour = colours.palette[bars ? 0 : qualityOf(names[place]).colour];
          const shown = {
            name: words[place],
            data: thinned(points, mostDots).map(([node, value]) => [bars ? String(node) : node, value]),
            itemStyle: {color: colour},
          };
          return bars ? {type: 'bar', barMaxWidth: 30, ...shown} : {type: 'scatter', symbolSize: 7, ...shown};
        }),
      }),
      note: main.length > mostDots ? `${mostDots} of ${plural(main.length, 'node')} are drawn.` : null,
      table: () => ({
        caption: 'Quality of each node',
        columns: [{title: 'node'}, ...words.map((title) => ({title, numeric: true}))],
        rows: main.map(([node]) => [node, ...names.map((name) => figure(run.nodeMeans(name)[node]))]),
      }),
    }).figure,
  ];
});

// The answer, and the baseline of each node alone.
function chosen(run) {
  const has = (name) => run.nodeMeans(name).filter(isNumber).length > 1;
  return [run.answer, 'local'].filter((name) => name && has(name));
}
