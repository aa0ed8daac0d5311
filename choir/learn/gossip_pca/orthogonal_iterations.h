// The paper's merge of two bases (Algorithm 2), with what it needs to converge: Q_0 is padded to full width,
// and eigenvalues are read by Rayleigh-Ritz, or at least without the sign that QR gives them.
#pragma once

#include "choir/base/rng.h"
#include "choir/learn/gossip_pca/options.h"
#include "choir/linalg/low_rank.h"

namespace choir::gossip_pca {

struct LowRankView {
  MatrixView<double> U;
  const Vector& L;
};

struct IterationOptions {
  Index rank = 10;  // q
  Index max_t = 4;
  RitzValues ritz_values = RitzValues::rayleigh;
};

// Q_{t+1} R_{t+1} = (U L U' + U' L' U'') Q_t, from Q_0 = U.
LowRank merge_by_iterations(const LowRankView& first, const LowRankView& second,
                            const IterationOptions& options, Rng& random);

}  // namespace choir::gossip_pca
