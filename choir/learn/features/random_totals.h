// Random features whose sums tell no sample: all nodes draw the same ones and sum their leading directions.
//
//   const FeatureMap map = co_await agreed_random_features(node, sums, shard, kernel, wanted);
//   map.features(shard.matrix());                                        // m x N_j, m <= wanted.count
//
// Which directions lead is seen at synthetic points (network_gaussian.h), so no total of samples is spent on
// it. How many of them are summed follows from safe_total.h. The seed follows from the data: totals of the
// same samples in other random features would be new equations for them in every run.
#pragma once

#include <memory>

#include "choir/learn/features/feature_map.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

struct RandomTotals {
  Index count = 2000;                        // random features
  std::shared_ptr<FeatureStore> store = {};  // where nodes of one process find them
};

Task<FeatureMap> agreed_random_features(Node& node, SecureSums& sums, Array shard, Kernel kernel,
                                        RandomTotals wanted);

// Orthonormal directions in which the columns of psi (count x P) spread most: count x most, or fewer.
Matrix leading_directions_of(const Matrix& psi, Index most);

}  // namespace choir
