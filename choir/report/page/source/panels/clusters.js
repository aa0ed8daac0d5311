// How far apart the clusters are, the silhouette of every number of clusters that was tried, the samples per cluster.
import {axis, chart, grid, tip, tooltip} from '../chart.js';
import {element} from '../dom.js';
import {count, figure, isNumber} from '../format.js';
import {legend} from '../legend.js';
import {listOf, numbersOf, objectOf, total} from '../run.js';
import {countBars} from './bars.js';

const triedIn = ({tried}) =>
  listOf(tried)
    .map(objectOf)
    .filter(({clusters, silhouette}) => isNumber(clusters) && isNumber(silhouette));

function silhouetteWords({silhouette}) {
  if (!isNumber(silhouette)) return null;
  return (
    `The silhouette is ${figure(silhouette)}: the mean over all samples of 1 − a / b, where a is the distance to the own ` +
    'centroid and b the distance to the nearest other one, both in the embedding. 1 means far apart, 0 not apart at all.'
  );
}

function overNumbers(tried, taken) {
  const isTaken = ({clusters}) => clusters === taken;
  const said = tried.find(isTaken);
  return chart({
    caption: `Silhouette by number of clusters${said ? `: ${count(taken)} clusters were taken` : ''}`,
    label: tried.map(({clusters, silhouette}) => `${count(clusters)} clusters ${figure(silhouette)}`).join(', '),
    above: legend([
      {words: 'tried', colour: 0, symbol: 'circle'},
      ...(said ? [{words: 'taken', colour: 1, symbol: 'diamond'}] : []),
    ]),
    option: (colours) => ({
      grid: grid(),
      tooltip: tooltip(colours, ({dataIndex}) =>
        tip(
          `${count(tried[dataIndex].clusters)} clusters`,
          `silhouette: ${figure(tried[dataIndex].silhouette)}`,
          isNumber(tried[dataIndex].inertia) && `inertia: ${figure(tried[dataIndex].inertia)}`,
        ),
      ),
      xAxis: axis(colours, {
        name: 'number of clusters',
        type: 'category',
        data: tried.map(({clusters}) => String(clusters)),
      }),
      yAxis: axis(colours, {name: 'silhouette', along: 'y', scale: true}),
      series: [
        {
          type: 'line',
          lineStyle: {width: 2, color: colours.palette[0]},
          data: tried.map((one) => ({
            value: one.silhouette,
            symbol: isTaken(one) ? 'diamond' : 'circle',
            symbolSize: isTaken(one) ? 14 : 7,
            itemStyle: {color: colours.palette[isTaken(one) ? 1 : 0]},
          })),
        },
      ],
    }),
    table: () => ({
      caption: 'Numbers of clusters that were tried',
      columns: ['clusters', 'silhouette', 'inertia'].map((title) => ({title, numeric: true})),
      rows: tried.map(({clusters, silhouette, inertia}) => [count(clusters), figure(silhouette), figure(inertia)]),
    }),
  }).figure;
}

export const clusters = {
  id: 'clusters',
  title: 'Clusters',
  applies: ({result}) => numbersOf(result.cluster_sizes).length > 0,
  render({result}) {
    const sizes = numbersOf(result.cluster_sizes);
    const tried = triedIn(result);
    const words = silhouetteWords(result);
    return [
      words && element('p', {}, words),
      tried.length > 1 && overNumbers(tried, sizes.length),
      countBars({
        counts: sizes,
        of: 'cluster',
        things: 'samples',
        caption: `Samples per cluster${isNumber(result.inertia) ? `; inertia of the embedded samples: ${figure(result.inertia)}` : ''}`,
        tableCaption: `Clusters of ${count(total(sizes))} samples`,
      }),
    ];
  },
};
