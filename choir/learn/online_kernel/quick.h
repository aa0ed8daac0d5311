// The leading features once more, in blocks as short as so few features allow: their answer follows a stream
// that changes while a block of all features fills up. README.md has the rules.
#pragma once

#include <vector>

#include "choir/learn/online_kernel/total.h"

namespace choir::online_kernel {

// How many of so many features lead; 0 where they would be too few to learn from.
Index quick_size(Index features);

// Without moments yet; nothing where the half-life is given or there are too few features.
std::optional<QuickSet> new_quick_set(const Node& node, const FeatureSet& all, const Options& options);

// It learns from the first total of all features on: shorter streams have samples for these alone.
bool quick_learns(const FeatureState& features);
// Where its features are among all of them.
std::vector<Index> quick_places(const FeatureState& features);
// Samples that its blocks have: never more than the shortest ones of all features.
double quick_quota(const FeatureState& features);

// What both answers lose on samples before they are learned. targets: N x K, weights: N, psi: m x N.
void ask_both(const Matrix& psi, const Matrix& targets, const Vector& weights, FeatureState& features);
// `asked`: of all nodes since they last met. `telling`: of samples that decide who answers. `kept`: what
// forgetting leaves of the losses before.
void compare_with_quick(const Contest& asked, bool telling, double kept, QuickSet& quick);

// The set whose answer is used, and that answer in all features: (m + 1) x K.
const FeatureSet& answering(const FeatureState& features);
Matrix answer_of(const FeatureState& features);

}  // namespace choir::online_kernel
