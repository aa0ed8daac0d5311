#include "choir/learn/shard.h"

#include <utility>

namespace choir {

Shard::Shard(const SamplesView& samples) {
  if (samples.cols() > 1 && samples.outerStride() != samples.rows()) {
    own_ = samples;
    return;
  }
  seen_ = samples.data();
  seen_rows_ = samples.rows();
  seen_cols_ = samples.cols();
}

void Shard::preprocess(const Preprocessing& preprocessing) {
  if (seen_ && !preprocessing.changes()) {
    validate(preprocessing, rows());
    return;
  }
  Samples changed = std::move(*this).take();
  preprocessing.apply(changed);
  own_ = std::move(changed);
}

Samples Shard::take() && {
  Samples taken = seen_ ? Samples(samples()) : std::move(own_);
  *this = Shard(Samples());
  return taken;
}

Array Shard::share() && {
  if (!seen_) return Array(std::move(*this).take());
  Array array = Array::view(nullptr, seen_, ArrayType::float64, rows(), cols());
  *this = Shard(Samples());
  return array;
}

Shards::Shards(std::vector<Samples> samples) {
  shards_.reserve(samples.size());
  for (Samples& shard : samples) shards_.emplace_back(std::move(shard));
}

Shards::Shards(const std::vector<SamplesView>& samples) {
  shards_.reserve(samples.size());
  for (const SamplesView& shard : samples) shards_.emplace_back(shard);
}

}  // namespace choir
