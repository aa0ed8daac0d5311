// The shared answer: directions in features that all nodes share, with what can be said about how good it is.
//
//   const AppraisedBasis shared = co_await appraised_basis(node, sums, map, psi, kernel, options);
//   shared.assessment.claimed_similarity;
#pragma once

#include <string>

#include "choir/learn/assessment/assessment.h"
#include "choir/learn/consensus_kpca/feature_moments.h"
#include "choir/learn/consensus_kpca/options.h"
#include "choir/learn/features/feature_map.h"
#include "choir/linalg/types.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::consensus_kpca {

struct AppraisedBasis {
  FeatureBasis basis;
  Assessment assessment;
  std::string advice = {};  // what helps where a claim is weak
  double kernel_error = 0;  // of random features: rms of psi(x)'psi(y) - k(x, y)
};

// What holds for the first `kept` components alone, where an answer has no room for all of them.
Assessment assessment_of_leading(const AppraisedBasis& shared, Index kept);

// psi: m x N_j, the features of the node's samples; kernel: N_j x N_j, not centred. `all_if_short` as in
// BasisWish.
Task<AppraisedBasis> appraised_basis(Node& node, SecureSums& sums, FeatureMap map, const Matrix& psi,
                                     const Matrix& kernel, const Options& options, bool all_if_short = false);

// Of the nodes' own answers, which differ by node: what holds for the worst of them. `seen`: m x D, what a
// node's directions look like in the features; `overlap`: w'w, because own directions are shrunk.
Task<Assessment> appraised_own(Node& node, const AppraisedBasis& shared, Matrix seen, const Matrix& overlap);

}  // namespace choir::consensus_kpca
