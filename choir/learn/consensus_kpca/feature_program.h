// Kernel PCA without raw samples: features that all nodes share (landmarks, or random ones from a seed), and
// sums of them over all samples.
//
//   psi(x) = R'k_Z(x), or random Fourier features;   m = sum psi / n;   C = sum psi psi' / n - m m' = U e U'
//
// What leaves a node: centroids if landmarks are shared, and sums over all of its samples.
#pragma once

#include "choir/learn/consensus_kpca/consensus_kpca.h"

namespace choir::consensus_kpca {

// The node program for share = landmarks and random_features; reached through node_program().
Task<NodeResult> feature_kpca(Node& node, Shard shard, Options options, Circumstances circumstances);

}  // namespace choir::consensus_kpca
