#include "choir/experiment/online_kernel/parts.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "choir/base/rng.h"

namespace choir {
namespace {

constexpr Purpose order_purpose("online-experiment-order");
constexpr Purpose deal_purpose("online-experiment-deal");
constexpr Purpose skew_purpose("online-experiment-skew");
constexpr Purpose wave_purpose("online-experiment-wave");

TargetedSamples take(const TargetedSamples& from, std::span<const Index> places) {
  const auto count = static_cast<Index>(places.size());
  TargetedSamples taken{.samples = Samples(from.samples.rows(), count), .targets = Vector(count)};
  for (Index column = 0; const Index place : places) {
    taken.samples.col(column) = from.samples.col(place);
    taken.targets(column++) = from.targets(place);
  }
  return taken;
}

std::vector<Index> of_two_classes(const TargetedSamples& samples, Index node, Index classes) {
  const auto first = static_cast<double>(2 * node % classes);
  const auto second = static_cast<double>((2 * node + 1) % classes);
  std::vector<Index> held;
  for (Index n = 0; n < samples.targets.size(); ++n) {
    if (samples.targets(n) == first || samples.targets(n) == second) held.push_back(n);
  }
  return held;
}

std::vector<Index> drawn_from(const std::vector<Index>& held, Index count, Rng& random) {
  std::vector<Index> drawn;
  if (count > 0) {
    for (Index n = 0; n < count; ++n) drawn.push_back(held[random.below(held.size())]);
    return drawn;
  }
  for (const Index place : random.permutation(static_cast<Index>(held.size()))) {
    drawn.push_back(held[static_cast<std::size_t>(place)]);
  }
  return drawn;
}

double next_class(double label, Index classes) { return std::fmod(label + 1, static_cast<double>(classes)); }

class DrawnStream : public SampleStream {
 public:
  DrawnStream(Index features, std::uint64_t count, std::function<double(Eigen::Ref<Vector>)> draw)
      : features_(features), left_(count), draw_(std::move(draw)) {}

  std::optional<TargetedSamples> next(Index count) override {
    if (left_ == 0) return std::nullopt;
    count = static_cast<Index>(std::min(left_, static_cast<std::uint64_t>(count)));
    TargetedSamples batch{.samples = Samples(features_, count), .targets = Vector(count)};
    for (Index n = 0; n < count; ++n) batch.targets(n) = draw_(batch.samples.col(n));
    left_ -= static_cast<std::uint64_t>(count);
    return batch;
  }

  std::uint64_t skip(std::uint64_t count) override {
    std::uint64_t passed = 0;
    for (Vector sample(features_); passed < count && left_ > 0; ++passed, --left_) draw_(sample);
    return passed;
  }

  Index features() const override { return features_; }

 private:
  Index features_;
  std::uint64_t left_;
  std::function<double(Eigen::Ref<Vector>)> draw_;
};

}  // namespace

NodeParts permuted(const TargetedSamples& samples, Index nodes, std::uint64_t seed) {
  NodeParts parts;
  for (Index node = 0; node < nodes; ++node) {
    Rng random(seed, order_purpose, static_cast<std::uint64_t>(node));
    parts.push_back(take(samples, random.permutation(samples.targets.size())));
  }
  return parts;
}

NodeParts dealt(const TargetedSamples& samples, Index nodes, std::uint64_t seed) {
  Rng random(seed, deal_purpose);
  const std::vector<Index> order = random.permutation(samples.targets.size());
  const std::size_t share = order.size() / static_cast<std::size_t>(nodes);
  NodeParts parts;
  for (std::size_t node = 0; node < static_cast<std::size_t>(nodes); ++node) {
    parts.push_back(take(samples, std::span(order).subspan(node * share, share)));
  }
  return parts;
}

NodeParts two_classes_each(const TargetedSamples& samples, const TwoClasses& spec, std::uint64_t seed) {
  NodeParts parts;
  for (Index node = 0; node < spec.nodes; ++node) {
    Rng random(seed, skew_purpose, static_cast<std::uint64_t>(node));
    const std::vector<Index> held = of_two_classes(samples, node, spec.classes);
    parts.push_back(take(samples, drawn_from(held, spec.count, random)));
  }
  return parts;
}

void cut_to_shortest(NodeParts& parts) {
  const auto shorter = [](const TargetedSamples& a, const TargetedSamples& b) {
    return a.targets.size() < b.targets.size();
  };
  const Index shortest = std::min_element(parts.begin(), parts.end(), shorter)->targets.size();
  for (TargetedSamples& part : parts) {
    part.samples.conservativeResize(Eigen::NoChange, shortest);
    part.targets.conservativeResize(shortest);
  }
}

void rotate_second_halves(NodeParts& parts, Index classes) {
  for (TargetedSamples& part : parts) {
    for (double& label : part.targets.tail(part.targets.size() - part.targets.size() / 2)) {
      label = next_class(label, classes);
    }
  }
}

TargetedSamples rotated(TargetedSamples samples, Index classes) {
  for (double& label : samples.targets) label = next_class(label, classes);
  return samples;
}

Strip strip_of(NodeId node, Index nodes) {
  const double width = 4 / static_cast<double>(nodes);
  return {.from = -2 + width * static_cast<double>(node), .to = -2 + width * static_cast<double>(node + 1)};
}

TargetedSamples wave(Index count, const Strip& strip, double noise, std::uint64_t seed, std::uint64_t node) {
  Rng random(seed, wave_purpose, node);
  TargetedSamples drawn{.samples = Samples(2, count), .targets = Vector(count)};
  for (Index n = 0; n < count; ++n) {
    const double x = drawn.samples(0, n) = random.uniform(strip.from, strip.to);
    const double y = drawn.samples(1, n) = random.uniform(-2, 2);
    drawn.targets(n) = std::sin(2 * x) * std::cos(1.5 * y) + noise * random.normal();
  }
  return drawn;
}

SampleStreams streams_of(NodeParts parts, Index passes) {
  SampleStreams streams;
  for (TargetedSamples& part : parts) streams.push_back(stream_of(std::move(part), passes));
  return streams;
}

std::unique_ptr<SampleStream> drawn_stream(Index features, std::uint64_t count,
                                           std::function<double(Eigen::Ref<Vector>)> draw) {
  return std::make_unique<DrawnStream>(features, count, std::move(draw));
}

}  // namespace choir
