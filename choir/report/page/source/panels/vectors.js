// One message a party: how many vectors were in it, and what the theorem promises.
import {axis, chart, grid, tip, tooltip} from '../chart.js';
import {element} from '../dom.js';
import {count, figure, isNumber, some} from '../format.js';
import {listOf, numbersOf, objectOf} from '../run.js';

// Of ||sin Theta||, which is at most the root of the number of components whatever was learned.
function boundWords({bound, n_components: components}) {
  if (!isNumber(bound)) return 'Theorem 1 gives no bound here.';
  const most = Math.sqrt(components);
  const nothing = bound >= most ? `, which says nothing here: it is never above ${figure(most)}` : '';
  return `Theorem 1 bounds the distance to the answer of all features, ‖sin Θ‖, by ${figure(bound)}${nothing}.`;
}

function words(result) {
  const at = listOf(result.answer_at);
  const measured = objectOf(result.quality).subspace_error;
  return [
    at.length > 0 && `The answer is at ${at.length === 1 ? 'party' : 'parties'} ${some(at)}.`,
    boundWords(result),
    isNumber(measured) && `Measured, the subspace error is ${figure(measured)}.`,
  ].filter(Boolean);
}

export const vectors = {
  id: 'vectors',
  title: 'One message a party',
  applies: ({result}) => numbersOf(objectOf(result.vectors_sent).per_node).length > 0,
  render({result}) {
    const sent = numbersOf(result.vectors_sent.per_node);
    const names = sent.map((_, party) => String(party));
    return [
      element('p', {}, words(result).join(' ')),
      chart({
        caption: `Eigenvectors of each party’s own factor: ${count(result.vectors_sent.total ?? 0)} in all`,
        label: sent.map((value, party) => `party ${party} ${value}`).join(', '),
        option: (colours) => ({
          grid: grid(),
          tooltip: tooltip(colours, ({name, value}) => tip(`party ${name}`, `${count(value)} vectors`)),
          xAxis: axis(colours, {name: 'party', type: 'category', data: names}),
          yAxis: axis(colours, {name: 'vectors', along: 'y'}),
          series: [{type: 'bar', data: sent, barMaxWidth: 40, itemStyle: {color: colours.palette[0]}}],
        }),
        note: result.fusion === 'center' ? 'Those of the centre stay with it.' : null,
        table: () => ({
          caption: 'Vectors of each party',
          columns: [{title: 'party'}, {title: 'vectors', numeric: true}],
          rows: sent.map((value, party) => [party, count(value)]),
        }),
      }).figure,
    ];
  },
};
