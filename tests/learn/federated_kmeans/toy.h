// Data and runs that the tests of federated-kmeans share.
#pragma once

#include <cstdint>
#include <vector>

#include "choir/linalg/types.h"

namespace choir::testing {

struct Clusters {
  Samples samples;                   // M x N
  std::vector<std::int64_t> labels;  // N
};
// Gaussian clouds of variance 1 about centres of variance 16, in random order.
Clusters clusters(Index count, Index clusters, Index features, std::uint64_t seed);

// Parts of nearly equal size, in order.
std::vector<Samples> dealt(const Samples& samples, Index devices);
// The same samples with those of one label beside each other.
Samples sorted_by_label(const Clusters& data);

}  // namespace choir::testing
