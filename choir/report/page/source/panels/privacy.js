// What differential privacy promises for every sample, what the promise was spent on, and what it does not cover.
import {element} from '../dom.js';
import {capitalised, figure, isNumber, percent} from '../format.js';
import {listOf, objectOf} from '../run.js';
import {facts, table} from '../table.js';
import {panelOf} from './panel.js';

const releasesOf = (promise) => listOf(promise.releases).map(objectOf);

function promiseWords({epsilon, delta}) {
  return (
    `Epsilon ${figure(epsilon)}, delta ${figure(delta)}, for each sample: had one sample been another one, whatever this run sent and shows ` +
    `would have been at most ${figure(Math.exp(epsilon))} times as likely (e to the power of epsilon), but for a probability of delta.`
  );
}

function spentOn(promise) {
  const releases = releasesOf(promise);
  return table({
    caption: 'Sums over all nodes that were made public, each with noise in every entry',
    columns: [
      {title: 'released'},
      {title: 'a sample changes it by at most', numeric: true},
      {title: 'noise (standard deviation)', numeric: true},
      {title: 'cost (rho)', numeric: true},
      {title: 'share of the cost', numeric: true},
    ],
    rows: releases.map(({what, sensitivity, sigma, rho}) => [
      what,
      figure(sensitivity),
      figure(sigma),
      figure(rho),
      isNumber(promise.rho) && promise.rho > 0 ? percent(rho / promise.rho, 1) : '–',
    ]),
  });
}

const sentences = (title, words) =>
  words.length > 0 && [
    element('h3', {}, title),
    element(
      'ul',
      {},
      words.map((word) => element('li', {}, `${capitalised(String(word)).replace(/\.$/, '')}.`)),
    ),
  ];

export const privacy = panelOf(
  'privacy',
  'Differential privacy',
  (run) => (run.isPrivate ? run.result.privacy : null),
  (promise) => [
    element('p', {class: 'lead'}, promiseWords(promise)),
    facts(
      [
        promise.relation && ['neighbouring data', String(promise.relation)],
        isNumber(promise.rho) && ['cost (rho, zero-concentrated)', figure(promise.rho)],
        isNumber(promise.clip) && ['samples shortened to length', figure(promise.clip)],
      ].filter(Boolean),
    ),
    releasesOf(promise).length > 0 && spentOn(promise),
    sentences('Left out, because it would have to be charged', listOf(promise.left_out)),
    sentences('What the promise does not cover', listOf(promise.not_covered)),
  ],
);
