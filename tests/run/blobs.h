// Samples for tests of runs: normal ones, of which every second lies elsewhere.
#pragma once

#include "choir/base/rng.h"
#include "choir/linalg/types.h"

namespace choir::testing {

inline Samples blobs(Index features, Index samples, std::uint64_t seed = 1) {
  Rng random(seed, Purpose("run test"), 0);
  Samples result(features, samples);
  for (double& value : result.reshaped()) value = random.normal();
  for (Index n = 0; n < samples; n += 2) result.col(n).array() += 3;
  return result;
}

}  // namespace choir::testing
