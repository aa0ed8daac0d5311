// Kernel PCA under differential privacy: one noisy total of features that all nodes share, and nothing else
// of anybody's samples.
//
//   features   psi: random ones from the seed, public landmarks, or landmarks drawn from a noisy Gaussian
//   released   S + noise, s + noise,   S = sum psi psi', s = sum psi
//   the rest   m = s / N;   C = S / N - m m' = U e U': a function of these
#pragma once

#include "choir/learn/consensus_kpca/consensus_kpca.h"

namespace choir::consensus_kpca {

// The node program for options.privacy.wanted(); reached through node_program().
Task<NodeResult> private_kpca(Node& node, Shard shard, Options options, Circumstances circumstances);

}  // namespace choir::consensus_kpca
