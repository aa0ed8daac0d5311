// Random features that all nodes draw from the same seed, drawn once for all nodes of a process. A node gets
// what it would have drawn by itself: nothing passes between nodes here.
//
//   const auto features = store->get(kernel, M, {.count = 2000, .seed = seed});
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "choir/kernel/random_features.h"

namespace choir {

class FeatureStore {
 public:
  std::shared_ptr<const RandomFeatures> get(const Kernel& kernel, Index features,
                                            const RandomFeaturesOptions& options);

 private:
  struct Drawn {
    Kernel kernel;
    Index features = 0;
    RandomFeaturesOptions options;
    std::shared_ptr<const RandomFeatures> result;
  };

  std::mutex drawing_;
  std::optional<Drawn> last_;
};

}  // namespace choir
