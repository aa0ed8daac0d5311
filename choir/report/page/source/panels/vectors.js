// One message per party: how many vectors it held, and what the theorem guarantees.
import {element} from '../dom.js';
import {count, figure, isNumber, some} from '../format.js';
import {listOf, numbersOf, objectOf} from '../run.js';
import {countBars} from './bars.js';

// On ||sin Theta||, which never exceeds the square root of the number of components.
function boundWords({bound, n_components: components}) {
  if (!isNumber(bound)) return 'Theorem 1 gives no bound here.';
  const most = Math.sqrt(components);
  const nothing = bound >= most ? `. This bound is vacuous: the distance never exceeds ${figure(most)}` : '';
  return `Theorem 1 bounds the distance ‖sin Θ‖ to the solution with all features by ${figure(bound)}${nothing}.`;
}

function words(result) {
  const at = listOf(result.answer_at);
  const measured = objectOf(result.quality).subspace_error;
  return [
    at.length > 0 && at.length === 1 ? `Party ${at[0]} has the answer.` : `Parties ${some(at)} have the answer.`,
    boundWords(result),
    isNumber(measured) && `The measured subspace error is ${figure(measured)}.`,
  ].filter(Boolean);
}

export const vectors = {
  id: 'vectors',
  title: 'One message per party',
  applies: ({result}) => numbersOf(objectOf(result.vectors_sent).per_node).length > 0,
  render({result}) {
    const sent = numbersOf(result.vectors_sent.per_node);
    return [
      element('p', {}, words(result).join(' ')),
      countBars({
        counts: sent,
        of: 'party',
        things: 'vectors',
        caption: `Eigenvectors of each party’s own factor: ${count(result.vectors_sent.total ?? 0)} in total`,
        tableCaption: 'Vectors per party',
        note: result.fusion === 'center' ? 'The centre’s own vectors are not sent.' : null,
      }),
    ];
  },
};
