// Nodes meet now and then to count, and, when a block of samples is complete, to open a total of the moments
// before it: the root decomposes it, every node finds the same answer in it. README.md has the rules.
#pragma once

#include <string>
#include <vector>

#include "choir/learn/features/feature_map.h"
#include "choir/learn/online_kernel/online_kernel.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::online_kernel {

// What all meetings of a node share.
struct Gathering {
  Node& node;
  const Options& options;
  FeatureMap map;
  SecureSums sums;
};

// All nodes call it after the same round; says when the next one is. Once all streams have ended, the last
// total is opened, and `finished` is true. Throws Error(PeerLost) if a node is missing.
Task<void> meet(Gathering& gathering, State& state, std::vector<std::string>& notes);

// psi: m x N, also of no samples.
Matrix features_of(const FeatureMap& map, const FeatureState& state, const Samples& samples);
// N x K: 1 at the class and 0 elsewhere, or the values themselves. `targets`: places, or standardised values.
Matrix coded_targets(const Vector& targets, Index outputs);

}  // namespace choir::online_kernel
