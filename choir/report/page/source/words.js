// What keys of result.json and metrics.jsonl are called in sentences and captions.

export const methods = {
  'consensus-kpca': 'Decentralised kernel PCA with projection consensus',
  'gossip-pca': 'PCA by gossip',
  'oneshot-kpca': 'One-shot kernel PCA across parties with different features',
  'online-kernel': 'Online kernel learning from streams',
  'federated-kmeans': 'Federated kernel k-means',
  'central-kpca': 'Centralised kernel PCA',
  'local-kpca': 'Kernel PCA on each node alone',
};

// In the order and with the sentences of choir/runtime/kind.cpp (tests/architecture/kinds_test.py compares): what whoever
// receives a message of the kind can learn from it. Colours are places in the palette: raw samples have the one that warns.
export const kinds = {
  raw_samples: {
    name: 'raw samples',
    tells: 'samples: the receiver has them, exactly or up to the noise that was added',
    colour: 1,
  },
  centroids: {
    name: 'centroids',
    tells: 'means of groups of samples; a group of few is nearly its samples',
    colour: 0,
  },
  features: {
    name: 'features',
    tells: 'samples in feature coordinates; whoever knows the feature map can often solve for the samples',
    colour: 4,
  },
  coefficients: {
    name: 'coefficients',
    tells: "weights of samples that the receiver has, and projections of the sender's samples on them",
    colour: 2,
  },
  own_statistics: {
    name: 'own statistics',
    tells: "sums over one node's samples, readable by the receiver; with few samples they give them away",
    colour: 3,
  },
  masked: {
    name: 'masked words',
    tells: "uniform words; no information without the other nodes' secrets",
    colour: 7,
  },
  totals: {
    name: 'totals',
    tells: 'sums over all nodes and what follows from them; with few samples in all they give samples away',
    colour: 5,
  },
  identifiers: {
    name: 'identifiers',
    tells: 'disguised keys of people; the receiver learns how many there are and which of them it has, too',
    colour: 8,
  },
  control: {
    name: 'control',
    tells: "counters, flags and public keys; nothing that depends on a sample's value",
    colour: 6,
  },
  // Between processes.
  options: {
    name: 'options',
    tells: 'options that all processes share, and versions',
    colour: 5,
  },
  facts: {
    name: 'facts',
    tells: 'how many samples a shard has, names and types of its columns, its classes, the name of its file',
    colour: 5,
  },
  summaries: {
    name: 'summaries',
    tells: 'what a node found: eigenvalues, changes, counts, sentences',
    colour: 5,
  },
  failures: {
    name: 'failures',
    tells: 'a sentence that says why a process cannot go on',
    colour: 5,
  },
};
export const kindOrder = Object.keys(kinds);
// Totals of runs under differential privacy.
const noisyTotals = {
  ...kinds.totals,
  name: 'noisy totals',
  tells: 'sums over all nodes with the noise of differential privacy, and what follows from them',
};
export const kindOf = (key, isPrivate = false) =>
  (isPrivate && key === 'totals' ? noisyTotals : kinds[key]) ?? {name: plain(key), tells: 'a kind unknown to this page', colour: 5};

// scale: 'log' where the power of ten is what matters.
const metricWords = {
  change: {name: 'change', is: 'change per step', scale: 'log'},
  gap: {name: 'consensus gap', is: 'distance to the neighbours’ answer', scale: 'log'},
  residual: {name: 'residual', is: 'residual of the eigenpairs', scale: 'log'},
  similarity: {name: 'similarity', is: 'similarity to the central answer', scale: 'linear'},
  error: {name: 'error', is: 'excess error of a node’s answer over the best one', scale: 'log'},
  loss: {name: 'loss', is: 'loss on a batch before the update', scale: 'linear'},
  mistakes: {name: 'mistakes', is: 'share of a batch misclassified before the update', scale: 'linear'},
  recent_loss: {name: 'recent loss', is: 'loss over about the last 20 batches', scale: 'linear'},
  progressive_loss: {name: 'loss so far', is: 'mean over all samples up to here', scale: 'linear'},
  progressive_accuracy: {name: 'accuracy so far', is: 'share predicted correctly up to here', scale: 'linear'},
  progressive_rmse: {name: 'error so far', is: 'root mean squared error up to here', scale: 'linear'},
  model_order: {name: 'model order', is: 'samples in a node’s dictionary', scale: 'linear'},
  disagreement: {name: 'disagreement', is: 'mean squared difference from the neighbours', scale: 'log'},
  compression: {name: 'compression', is: 'change that compression made to the function', scale: 'linear'},
};
export const metricOf = (key) => metricWords[key] ?? {name: plain(key), is: plain(key), scale: 'linear'};

// colour: a yardstick has the same colour on every page.
const qualityWords = {
  local: {name: 'a node alone', colour: 6, dashed: true},
  gather_own: {name: 'gathered, own span', colour: 4, dashed: true},
  gather_neighborhood: {name: 'gathered from the neighbours', colour: 5, dashed: true},
  oracle: {name: 'best possible in the own span', colour: 3, dashed: true},
  similarity_own: {name: 'consensus, own span', colour: 2},
  similarity_neighborhood: {name: 'consensus', colour: 0},
  oracle_neighborhood: {name: 'best possible in the neighbourhood', colour: 0, dashed: true},
  similarity_shared: {name: 'consensus, shared', colour: 1},
};
export const qualityOf = (key) => qualityWords[key] ?? {name: plain(key), colour: 1};
export const yardsticks = ['local', 'gather_own', 'gather_neighborhood', 'oracle', 'oracle_neighborhood'];

// One number for the whole network: its meaning and its best value.
export const numberWords = {
  subspace_cosine_min: ['smallest cosine to the central subspace, mean over nodes', '1'],
  error_relative: ['relative squared error of the covariance', 'that of the central components'],
  excess_error: ['relative error beyond that of the best components', '0'],
  mean_error: ['largest error of any node’s mean', '0'],
  subspace_error: ['subspace error relative to all features in one place', '0'],
  nmi: ['normalised mutual information with the labels', '1'],
  ari: ['adjusted Rand index with the labels', '1'],
  accuracy: ['accuracy under the best matching of clusters to labels', '1'],
  rmse: ['root mean squared error', '0'],
  cost: ['clustering cost in kernel space', null],
  cost_ratio: ['clustering cost relative to kernel k-means on all samples in one place', '1'],
};

export const plain = (key) => String(key).replaceAll('_', ' ');
