// The number of samples per cluster.
import {count, figure, isNumber} from '../format.js';
import {numbersOf, total} from '../run.js';
import {countBars} from './bars.js';

export const clusters = {
  id: 'clusters',
  title: 'Clusters',
  applies: ({result}) => numbersOf(result.cluster_sizes).length > 0,
  render({result}) {
    const sizes = numbersOf(result.cluster_sizes);
    return [
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
