// Features that all nodes share and in which no sample shows: random ones from the run's seed, public
// landmarks, or landmarks drawn from a noisy mean and spread of all samples.
//
//   const PrivateFeatures wanted{.kernel = kernel, .kind = FeatureKind::landmarks, .n_landmarks = 100,
//                                .clip = 10};
//   const FeatureMap map = co_await private_features(node, sums, shard, samples, wanted, budget);
//
// Kernels with k(x, x) <= 1: features of a sample are then no longer than 1.
#pragma once

#include <memory>
#include <optional>

#include "choir/base/rng.h"
#include "choir/learn/features/feature_kind.h"
#include "choir/learn/features/feature_map.h"
#include "choir/learn/privacy/noisy_components.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

// Landmarks where nobody says how many: more of them add more noise than they add detail (README.md of
// learn/consensus_kpca).
inline constexpr Index default_private_landmarks = 100;

struct PrivateFeatures {
  Kernel kernel = {};
  FeatureKind kind = FeatureKind::landmarks;
  Index n_landmarks = default_private_landmarks;
  Index n_features = 2000;                   // random features
  std::optional<Array> public_points = {};   // landmarks that need not be found out: M x L
  std::optional<double> clip = {};           // where they must be: samples count as no longer than this
  Index least_directions = 1;                // that landmarks differ in, however much of them is noise
  std::shared_ptr<FeatureStore> store = {};  // where nodes of one process find what they all draw alike

  bool finds_landmarks() const { return kind == FeatureKind::landmarks && !public_points; }
};

// `samples`: N of the network; `budget`: with a release for the spread where landmarks are found out.
Task<FeatureMap> private_features(Node& node, SecureSums& sums, Array shard, Index samples,
                                  PrivateFeatures wanted, const ComponentsBudget& budget);

// The step without a network: points from a normal distribution with the mean of `spread` and those of its
// leading directions that are above the noise. `spread`: of samples divided by `clip`.
Matrix drawn_landmarks(const NoisyMoments& spread, const PrivateFeatures& wanted, Rng random);

}  // namespace choir
