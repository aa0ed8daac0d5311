// Numbers for the whole network: what they measure, and their best value.
import {figure, isNumber, percent} from '../format.js';
import {table} from '../table.js';
import {numberWords, plain} from '../words.js';

function rowsOf(run) {
  const rows = Object.entries(run.qualityNumbers).map(([name, value]) => {
    const [words, best] = numberWords[name] ?? [plain(name), null];
    return [words, figure(value), best];
  });
  const {between_node_variance: between, change, disagreement} = run.result;
  if (isNumber(between))
    rows.push(['share of the variance between the nodes’ means', percent(between), null]);
  if (isNumber(change)) rows.push(['change in the last step', figure(change), '0']);
  if (isNumber(disagreement)) rows.push(['disagreement between neighbours at the end', figure(disagreement), '0']);
  return rows;
}

export const measures = {
  id: 'measures',
  title: 'Measured over the network',
  applies: (run) => rowsOf(run).length > 0,
  render: (run) => [
    table({
      caption: 'One number for the whole network',
      rows: rowsOf(run),
      columns: [{title: 'quantity'}, {title: 'measured', numeric: true}, {title: 'best', numeric: true}],
    }),
  ],
};
