// What nodes that learn by features agree on: before their first round, from their first batches, and later
// where the stream has changed, from their latest samples.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "choir/data/stream.h"
#include "choir/learn/features/feature_map.h"
#include "choir/learn/online_kernel/online_kernel.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::online_kernel {

// The state before the first round. `first`: the node's first batches, before any preprocessing; labels are
// places. Sums of samples are masked, but for those of agreed_view().
Task<State> first_feature_state(Node& node, SecureSums& sums, const TargetedSamples& first,
                                const Options& options, std::vector<std::string>& notes);

// Features without moments yet. `recent`: as they came.
Task<RivalSet> new_rival(Node& node, SecureSums& sums, Samples recent, const Options& options);

// A set of so many features that has learned nothing yet.
void begin_set(const Node& node, const Options& options, Index size, FeatureSet& set);

// The map of a set of features. `store`: of the process.
FeatureMap feature_map_of(const Kernel& kernel, const FeatureSet& set, std::shared_ptr<FeatureStore> store);
inline FeatureMap feature_map_of(const State& state, std::shared_ptr<FeatureStore> store) {
  return feature_map_of(state.kernel, *state.features, std::move(store));
}

}  // namespace choir::online_kernel
