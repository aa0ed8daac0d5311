// Which features the network may sum, so that no sample can be solved from the total (safe_total.h).
//
//   const std::vector<Index> chosen = co_await features_to_sum(node, sums, psi, inputs);
//   psi = psi(chosen, Eigen::all);
#pragma once

#include <vector>

#include "choir/linalg/types.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

// Throws Error(InvalidArgument) if so few samples allow no total of features at all. samples: N of the whole
// network; inputs: M.
Index require_safe_total(Index samples, Index inputs, Index wanted);

// The features with the largest squares over all samples of the network, descending, as many as leave no
// sample of any node nearly alone, and at least one. The same at all nodes. psi: m x N_j, with m no more than
// require_safe_total allows. The squares are a masked sum; the number of features that a subtree can bear
// is seen by its parent.
Task<std::vector<Index>> features_to_sum(Node& node, SecureSums& sums, Matrix psi, Index inputs);

}  // namespace choir
