// After the last iteration all nodes span (nearly) the same directions; which of them explains most is found
// together.
//
//   const RitzStep ritz = co_await agreed_ritz(node, sums, RitzSums{y'y, trace, samples, content});
//   c = c * ritz.turn.leftCols(D);
#pragma once

#include <optional>

#include "choir/linalg/types.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::consensus_kpca {

// One node's share of what is summed over the network.
struct RitzSums {
  Matrix squares;  // y_j'y_j: scores of its own samples on the common directions
  Vector sum;      // of these scores: the mean of all of them is taken off, whatever mean they were seen from
  double trace = 0;      // tr K_j
  double samples = 0;    // N_j
  bool content = false;  // its directions stood still in the last iteration
};

struct RitzStep {
  Matrix turn;         // U of sum_j y_j'y_j - N mean mean' = U diag(e) U', sign rule applied
  Vector eigenvalues;  // e, descending
  double trace = 0;
  bool all_content = false;
};

// A masked sum; the root decomposes it and tells everybody: the same bits at all nodes.
Task<RitzStep> agreed_ritz(Node& node, SecureSums& sums, RitzSums mine);

// Where nodes may have been lost no tree can be relied on: the mean over those that are left, by averaging
// with neighbours, who see a node's own sums. `mixing` as in AverageOptions; sums stand for `samples` samples
// in all.
Task<RitzStep> averaged_ritz(Node& node, RitzSums mine, double mixing, Index samples);

}  // namespace choir::consensus_kpca
