// When totals of moments are opened, and of how many features. Pure rules; README.md gives the reasons.
#pragma once

#include <cstdint>
#include <vector>

#include "choir/base/types.h"

namespace choir::online_kernel {

// New samples of the network behind every total, for each of its features.
inline constexpr double samples_per_feature = 4;

// Samples that a block has before it is complete: 4 m, and an eighth of what is there already, because a
// total that hardly changes is not worth its bytes. `features`: of all sets that learn from it.
double block_quota(Index features, double total);

// So many rounds until a block is complete if all streams that have not ended go on; at least one.
std::uint64_t rounds_until(double missing, Index streams, Index batch);

// m: as many features as asked for, or as many as the half-life leaves samples for (0: nothing is
// forgotten).
Index features_to_use(Index wanted, double half_life);

// What forgetting leaves after so many rounds.
double share_kept(double half_life, Index streams, Index batch, std::uint64_t rounds);

// The features that a total over so few new samples may have: the first ones. `paired`: the second half are
// the sines of the first half's cosines, and go with them.
std::vector<Index> features_for(double samples, Index features, bool paired);

// Weights of the classes, so that all weigh the same: K of them. One that has not been counted yet weighs no
// more than a hundred times the mean.
double class_weight_of(double count, double all, Index classes);

}  // namespace choir::online_kernel
