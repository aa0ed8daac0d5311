// Whether enough devices will answer, from what is known before a run: sizes of shards, no sample.
#pragma once

#include <vector>

#include "choir/learn/federated_kmeans/options.h"

namespace choir::federated_kmeans {

// `samples`: of every device. A sum is of so many devices at least, and devices with too few samples refuse
// sums without masks. Throws Error(InvalidArgument) if too few are left.
void require_answers(const Options& options, const std::vector<Index>& samples);

}  // namespace choir::federated_kmeans
