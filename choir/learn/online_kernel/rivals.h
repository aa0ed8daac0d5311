// New features beside those in use: how they begin, how the two are compared, and what becomes of them.
#pragma once

#include "choir/learn/online_kernel/total.h"

namespace choir::online_kernel {

// New samples of the network behind a total now, for the features of all sets: moments of two sets over the
// same samples show as much of these as those of one larger set.
double samples_needed(const FeatureState& features);
Index features_at_work(const FeatureState& features);

// Agreed on from this node's latest samples, so many of them, and the other nodes'.
Task<void> begin_rival(Gathering& gathering, State& state, Index fresh);
// Both sets have been asked about the same samples: the new features take over, or are dropped, or go on.
void compare_sets(Gathering& gathering, State& state);
void drop_rival(Gathering& gathering, FeatureState& features);

}  // namespace choir::online_kernel
