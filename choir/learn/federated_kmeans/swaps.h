// Ways out of a poor optimum of k-means: a centre is taken from where two share a cluster and put where one
// has two. What a server knows of a run that stands still is enough to propose them: centres, counts and
// squared distances of its clusters. Lloyd's iterations tell which of them were worth it.
//
//   const std::vector<Matrix> starts = swapped_starts(run, spread, {.clusters = k, .restarts = 8, .seed =
//   1});
#pragma once

#include <vector>

#include "choir/learn/federated_kmeans/lloyd.h"
#include "choir/learn/federated_kmeans/seeding.h"
#include "choir/linalg/types.h"

namespace choir::federated_kmeans {

inline constexpr Index fewest_to_swap = 3;  // clusters: with two, a swap is a start like any other
inline constexpr Index swaps_at_once = 8;   // proposals for each number of clusters
inline constexpr Index swap_trial = 4;      // iterations after which a proposal must be ahead, or ends
inline constexpr Index most_swap_rounds = 12;
inline constexpr double worth_a_swap = 1e-4;  // of the inertia

// `restarts` starts, r x k each. Centres are taken away in the order of what that costs (Ward's distance to
// the next centre), and clusters divided in the order of their squared distances: the two parts lie on
// either side of the old centre, in a direction that is drawn from the Gaussian of `spread` (S, r x any; see
// drawn_starts()). The first half of the proposals have one, two, ... swaps at once, the others a single one.
std::vector<Matrix> swapped_starts(const LloydRun& run, const Matrix& spread, const StartOptions& options);

}  // namespace choir::federated_kmeans
