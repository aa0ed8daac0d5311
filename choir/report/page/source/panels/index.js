// The panels of a run, in reading order. A panel shows itself if the document has what it needs.
import {clusters} from './clusters.js';
import {configuration} from './configuration.js';
import {confusion} from './confusion.js';
import {convergence} from './convergence.js';
import {decision} from './decision.js';
import {eigenvalues} from './eigenvalues.js';
import {embedding} from './embedding.js';
import {faults} from './faults.js';
import {gossip} from './gossip.js';
import {measures} from './measures.js';
import {network} from './network.js';
import {nodeQuality} from './node_quality.js';
import {privacy} from './privacy.js';
import {progressive} from './progressive.js';
import {rounds} from './rounds.js';
import {sent} from './sent.js';
import {summary} from './summary.js';
import {vectors} from './vectors.js';
import {yardsticks} from './yardsticks.js';

export const panels = [
  summary,
  yardsticks,
  measures,
  network,
  progressive,
  convergence,
  rounds,
  nodeQuality,
  clusters,
  confusion,
  vectors,
  gossip,
  embedding,
  decision,
  eigenvalues,
  privacy,
  sent,
  faults,
  configuration,
];
