// Random features that all nodes draw from the same seed, drawn once for all nodes of a process. A node gets
// what it would have drawn by itself: nothing passes between nodes here. The last two are kept, because a
// stream may be seen through new features beside the old ones.
//
//   const auto features = store->get(kernel, M, {.count = 2000, .seed = seed});
#pragma once

#include <deque>
#include <memory>
#include <mutex>

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
  std::deque<Drawn> latest_;
};

}  // namespace choir
