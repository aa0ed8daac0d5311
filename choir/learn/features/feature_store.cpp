#include "choir/learn/features/feature_store.h"

namespace choir {

std::shared_ptr<const RandomFeatures> FeatureStore::get(const Kernel& kernel, Index features,
                                                        const RandomFeaturesOptions& options) {
  const std::lock_guard lock(drawing_);
  const bool same =
      last_ && last_->kernel == kernel && last_->features == features && last_->options == options;
  if (!same) {
    auto drawn = std::make_shared<const RandomFeatures>(RandomFeatures::draw(kernel, features, options));
    last_ = Drawn{.kernel = kernel, .features = features, .options = options, .result = std::move(drawn)};
  }
  return last_->result;
}

}  // namespace choir
