// How a set of features gets an answer: the closed blocks of all nodes are opened as one total, which the
// root decomposes, and the nodes' latest samples choose the ridge.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "choir/learn/features/feature_map.h"
#include "choir/learn/online_kernel/online_kernel.h"
#include "choir/learn/online_kernel/ridge_family.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::online_kernel {

// What all meetings of a node share.
struct Gathering {
  Node& node;
  const Options& options;
  FeatureMap map;
  std::optional<FeatureMap> rival_map = {};
  std::shared_ptr<FeatureStore> store = {};
  SecureSums sums;
};

// A set of features, and what samples need to become such.
struct SetAtWork {
  FeatureSet& set;
  const FeatureMap& map;
  const Preprocessing& preprocessing;
  std::vector<Index> part = {};  // of the map's features; empty: all of them
};

// Whether the samples that answers are asked about are in the total.
enum class Learned { no, yes };

// The total of the chosen features, and the answer from it. Of a few features it shows the blocks that are
// closed now, and they stay closed: more of their moments are opened later.
Task<void> open_total(Gathering& gathering, SetAtWork work, const RecentSamples& recent,
                      std::vector<Index> chosen, Learned learned);

// psi: m x N, also of no samples.
Matrix features_of(const FeatureMap& map, const FeatureSet& set, const Samples& samples);
// N x K: 1 at the class and 0 elsewhere, or the values themselves. `targets`: places, or standardised values.
Matrix coded_targets(const Vector& targets, Index outputs);

}  // namespace choir::online_kernel
