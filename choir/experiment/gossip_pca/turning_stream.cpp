#include "choir/experiment/gossip_pca/turning_stream.h"

#include <cmath>

#include "choir/base/rng.h"

namespace choir {
namespace {

constexpr Purpose stream_purpose("gossip-experiment-stream");
constexpr double noise = 0.3;  // standard deviation in every direction; 2 or more along the components

}  // namespace

TurningStream::TurningStream(const StreamSpec& spec, std::uint64_t seed) : spec_(spec), seed_(seed) {}

Matrix TurningStream::directions(Duration time) const {
  const auto passed = static_cast<double>(time.count()) / static_cast<double>(spec_.interval.count());
  const double angle = spec_.turn * passed / static_cast<double>(spec_.batches);
  Matrix directions = Matrix::Zero(spec_.features, spec_.components);
  for (Index d = 0; d < spec_.components; ++d) {
    directions(d, d) = std::cos(angle);
    directions(spec_.components + d, d) = std::sin(angle);
  }
  return directions;
}

Samples TurningStream::batch(NodeId node, Index number) const {
  Rng random(seed_, stream_purpose, static_cast<std::uint64_t>(node), static_cast<std::uint64_t>(number));
  const Matrix current = directions(number * spec_.interval);
  Samples samples(spec_.features, spec_.batch);
  for (Index n = 0; n < spec_.batch; ++n) {
    for (double& entry : samples.col(n)) entry = noise * random.normal();
    for (Index d = 0; d < spec_.components; ++d) {
      samples.col(n) += current.col(d) * (random.normal() * static_cast<double>(2 + d));
    }
  }
  return samples;
}

gossip_pca::SampleFeed TurningStream::feed(NodeId node) const {
  return [this, node, number = Index{0}]() mutable -> std::optional<gossip_pca::FeedBatch> {
    if (number == spec_.batches) return std::nullopt;
    ++number;
    return gossip_pca::FeedBatch{.at = number * spec_.interval, .samples = batch(node, number)};
  };
}

}  // namespace choir
