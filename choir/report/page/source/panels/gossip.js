// Whether every answer includes all data, which gossip does not guarantee.
import {element} from '../dom.js';
import {count, figure, isNumber, percent} from '../format.js';
import {objectOf} from '../run.js';
import {facts} from '../table.js';

function participantWords({smallest, largest, nodes}) {
  if (smallest === largest && smallest === nodes)
    return `Every node’s answer includes the data of all ${count(nodes)} nodes.`;
  return `A node’s answer includes the data of ${count(smallest)} to ${count(largest)} of ${count(nodes)} nodes.`;
}

function massWords(mass) {
  if (Math.abs(mass - 1) < 1e-9) return 'No weight was lost or counted twice.';
  const fate = mass < 1 ? 'some was lost in transit, or with nodes that died' : 'some was counted more than once';
  return `The nodes’ weights add up to ${figure(mass, 5)} times the weight of all data: ${fate}.`;
}

export const gossip = {
  id: 'gossip',
  title: 'Mass and participants',
  applies: ({result}) => isNumber(result.mass) || isNumber(objectOf(result.participants).smallest),
  render({result}) {
    const {mass, participants, messages_per_node: messages, merge_share: merging, schedule, merge, carry} = result;
    return [
      isNumber(objectOf(participants).smallest) && element('p', {}, participantWords(participants)),
      isNumber(mass) && element('p', {}, massWords(mass)),
      facts(
        [
          isNumber(mass) && ['mass (1 means nothing was lost)', figure(mass, 6)],
          isNumber(messages) && ['messages per node, mean', figure(messages)],
          isNumber(merging) && ['time spent merging', percent(merging, 1)],
          schedule && ['schedule', String(schedule)],
          merge && ['merged by', String(merge)],
          isNumber(carry) && ['directions carried', count(carry)],
        ].filter(Boolean),
      ),
    ];
  },
};
