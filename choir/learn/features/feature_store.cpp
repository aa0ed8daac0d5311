#include "choir/learn/features/feature_store.h"

namespace choir {

std::shared_ptr<const RandomFeatures> FeatureStore::get(const Kernel& kernel, Index features,
                                                        const RandomFeaturesOptions& options) {
  const std::lock_guard lock(drawing_);
  for (const Drawn& drawn : latest_)
    if (drawn.kernel == kernel && drawn.features == features && drawn.options == options) return drawn.result;
  constexpr std::size_t kept = 2;
  if (latest_.size() == kept) latest_.pop_front();
  auto drawn = std::make_shared<const RandomFeatures>(RandomFeatures::draw(kernel, features, options));
  latest_.push_back({.kernel = kernel, .features = features, .options = options, .result = std::move(drawn)});
  return latest_.back().result;
}

}  // namespace choir
