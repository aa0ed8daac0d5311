// The number of samples per cluster.
import {axis, chart, grid, tip, tooltip} from '../chart.js';
import {count, figure, isNumber} from '../format.js';
import {numbersOf, total} from '../run.js';

export const clusters = {
  id: 'clusters',
  title: 'Clusters',
  applies: ({result}) => numbersOf(result.cluster_sizes).length > 0,
  render({result}) {
    const sizes = numbersOf(result.cluster_sizes);
    const names = sizes.map((_, cluster) => String(cluster));
    return [
      chart({
        caption: `Samples per cluster${isNumber(result.inertia) ? `; inertia of the embedded samples: ${figure(result.inertia)}` : ''}`,
        label: sizes.map((size, cluster) => `cluster ${cluster} ${count(size)}`).join(', '),
        option: (colours) => ({
          grid: grid(),
          tooltip: tooltip(colours, ({name, value}) => tip(`cluster ${name}`, `${count(value)} samples`)),
          xAxis: axis(colours, {name: 'cluster', type: 'category', data: names}),
          yAxis: axis(colours, {name: 'samples', along: 'y'}),
          series: [{type: 'bar', data: sizes, barMaxWidth: 40, itemStyle: {color: colours.palette[0]}}],
        }),
        table: () => ({
          caption: `Clusters of ${count(total(sizes))} samples`,
          columns: [{title: 'cluster'}, {title: 'samples', numeric: true}],
          rows: sizes.map((size, cluster) => [cluster, count(size)]),
        }),
      }).figure,
    ];
  },
};
