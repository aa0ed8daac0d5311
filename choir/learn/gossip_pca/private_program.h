// PCA, or kernel PCA over shared features, under differential privacy: no gossip, but one noisy total of
// moments along the tree, which every node gets the same answer from.
//
//   psi        x / clip, shortened to 1 where it is longer; or features of a kernel (learn/features)
//   released   S + noise, s + noise,   S = sum psi psi', s = sum psi
//   the rest   m = s / N;   C = S / N - m m' = U e U': a function of these
#pragma once

#include "choir/learn/gossip_pca/gossip_pca.h"

namespace choir::gossip_pca {

// The node program for options.privacy.wanted(); reached through node_program().
Task<NodeResult> private_pca(Node& node, Shard shard, Options options, Circumstances circumstances);

}  // namespace choir::gossip_pca
