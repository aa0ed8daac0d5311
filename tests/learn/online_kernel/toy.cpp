#include "learn/online_kernel/toy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/graph/topology.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::testing {
namespace {

constexpr double deviation = 0.2;

class MemoryStream : public SampleStream {
 public:
  explicit MemoryStream(TargetedSamples data) : data_(std::move(data)) {}

  std::optional<TargetedSamples> next(Index count) override {
    const Index taken = std::min(count, data_.samples.cols() - position_);
    if (taken == 0) return std::nullopt;
    TargetedSamples batch{.samples = data_.samples.middleCols(position_, taken), .targets = {}};
    if (data_.targets.size() > 0) batch.targets = data_.targets.segment(position_, taken);
    position_ += taken;
    return batch;
  }
  std::uint64_t skip(std::uint64_t count) override {
    const Index taken = std::min(static_cast<Index>(count), data_.samples.cols() - position_);
    position_ += taken;
    return static_cast<std::uint64_t>(taken);
  }
  Index features() const override { return data_.samples.rows(); }

 private:
  TargetedSamples data_;
  Index position_ = 0;
};

}  // namespace

std::unique_ptr<SampleStream> memory_stream(TargetedSamples data) {
  return std::make_unique<MemoryStream>(std::move(data));
}

Streams streams_of(const std::vector<TargetedSamples>& data) {
  Streams streams;
  for (const TargetedSamples& each : data) streams.push_back(memory_stream(each));
  return streams;
}

TargetedSamples first_of(const TargetedSamples& data, Index count) {
  return {.samples = data.samples.leftCols(count), .targets = data.targets.head(count)};
}

TargetedSamples chosen_of(const TargetedSamples& data, const std::vector<Index>& which) {
  return {.samples = data.samples(Eigen::all, which), .targets = data.targets(which)};
}

Mixtures::Mixtures(std::uint64_t seed) : means(2, classes * modes) {
  Rng rng(seed, Purpose("test-mixtures"));
  for (Index mode = 0; mode < means.cols(); ++mode) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(mode / modes) / classes;
    means.col(mode) << std::cos(angle) + rng.normal(), std::sin(angle) + rng.normal();
  }
}

TargetedSamples Mixtures::draw(Index count, std::uint64_t seed) const {
  Rng rng(seed, Purpose("test-mixture-samples"));
  TargetedSamples data{.samples = Samples(2, count), .targets = Vector(count)};
  for (Index n = 0; n < count; ++n) {
    const auto mode = static_cast<Index>(rng.below(static_cast<std::uint64_t>(means.cols())));
    data.samples.col(n) << means(0, mode) + deviation * rng.normal(),
        means(1, mode) + deviation * rng.normal();
    data.targets(n) = static_cast<double>(mode / modes);
  }
  return data;
}

double Mixtures::bayes_accuracy(const TargetedSamples& data) const {
  Index right = 0;
  for (Index n = 0; n < data.samples.cols(); ++n) {
    Vector density = Vector::Zero(classes);
    for (Index mode = 0; mode < means.cols(); ++mode) {
      const double distance = (data.samples.col(n) - means.col(mode)).squaredNorm();
      density(mode / modes) += std::exp(-distance / (2 * deviation * deviation));
    }
    Index best = 0;
    density.maxCoeff(&best);
    right += best == static_cast<Index>(data.targets(n)) ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(data.samples.cols());
}

std::vector<TargetedSamples> permuted(const TargetedSamples& data, Index nodes, std::uint64_t seed) {
  std::vector<TargetedSamples> all;
  for (Index node = 0; node < nodes; ++node) {
    Rng rng(seed, Purpose("test-order"), static_cast<std::uint64_t>(node));
    all.push_back(chosen_of(data, rng.permutation(data.samples.cols())));
  }
  return all;
}

std::vector<TargetedSamples> skewed(const TargetedSamples& data, Index nodes, Index count,
                                    std::uint64_t seed) {
  std::vector<TargetedSamples> all;
  for (Index node = 0; node < nodes; ++node) {
    std::vector<Index> own;
    for (Index n = 0; n < data.samples.cols(); ++n) {
      const auto label = static_cast<Index>(data.targets(n));
      if (label == 2 * node % Mixtures::classes || label == (2 * node + 1) % Mixtures::classes)
        own.push_back(n);
    }
    Rng rng(seed, Purpose("test-skew"), static_cast<std::uint64_t>(node));
    std::vector<Index> which;
    for (Index n = 0; n < count; ++n) which.push_back(own[rng.below(own.size())]);
    all.push_back(chosen_of(data, which));
  }
  return all;
}

TargetedSamples waves(Index count, double low, double high, double noise, std::uint64_t seed) {
  Rng rng(seed, Purpose("test-waves"));
  TargetedSamples data{.samples = Samples(2, count), .targets = Vector(count)};
  for (Index n = 0; n < count; ++n) {
    const double x = rng.uniform(low, high);
    const double y = rng.uniform(-2, 2);
    data.samples.col(n) << x, y;
    data.targets(n) = std::sin(2 * x) * std::cos(1.5 * y) + noise * rng.normal();
  }
  return data;
}

std::vector<TargetedSamples> strips(Index nodes, Index count, std::uint64_t seed) {
  std::vector<TargetedSamples> all;
  const double width = 4 / static_cast<double>(nodes);
  for (Index node = 0; node < nodes; ++node) {
    const double low = -2 + width * static_cast<double>(node);
    all.push_back(waves(count, low, low + width, 0.05, seed + static_cast<std::uint64_t>(node)));
  }
  return all;
}

online_kernel::Options mixture_options(online_kernel::Consensus consensus) {
  online_kernel::Options options;
  options.representation = online_kernel::Representation::dictionary;
  options.consensus = consensus;
  options.gamma = {.rule = GammaRule::number, .value = 1 / (2 * 0.36)};
  options.classes = {0, 1, 2, 3, 4};
  options.class_weights = online_kernel::ClassWeights::none;
  options.eta = 3;
  options.max_atoms = 100;
  return options;
}

online_kernel::Options wave_options(online_kernel::Consensus consensus) {
  online_kernel::Options options;
  options.representation = online_kernel::Representation::dictionary;
  options.loss = online_kernel::Loss::squared;
  options.max_atoms = 200;
  options.consensus = consensus;
  options.gamma = {.rule = GammaRule::number, .value = 1 / (2 * 0.36)};
  return options;
}

online_kernel::Fit simulate(const std::vector<TargetedSamples>& data, const online_kernel::Options& options,
                            const std::string& topology, const online_kernel::Hooks& hooks) {
  SimEngine engine;
  const Graph graph = make_topology(topology, static_cast<Index>(data.size()), 1);
  return fit_online_kernel(engine, graph, streams_of(data), options, {.seed = 1}, hooks);
}

Matrix scores_of(const online_kernel::NodeResult& fit, const Samples& samples) {
  return online_kernel::machine_of(fit).decide(samples);
}

double accuracy_of(const online_kernel::NodeResult& fit, const TargetedSamples& test) {
  const Matrix scores = scores_of(fit, test.samples);
  Index right = 0;
  for (Index n = 0; n < scores.rows(); ++n) {
    Index best = 0;
    scores.row(n).maxCoeff(&best);
    const auto label = static_cast<double>(fit.classes[static_cast<std::size_t>(best)]);
    right += label == test.targets(n) ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(scores.rows());
}

double rmse_of(const online_kernel::NodeResult& fit, const TargetedSamples& test) {
  const Vector residuals = scores_of(fit, test.samples).col(0) - test.targets;
  return std::sqrt(residuals.squaredNorm() / static_cast<double>(residuals.size()));
}

double mean_over_nodes(const online_kernel::Fit& fit,
                       const std::function<double(const online_kernel::NodeResult&)>& quality) {
  double sum = 0;
  for (const auto& node : fit.nodes) sum += quality(node.value());
  return sum / static_cast<double>(fit.nodes.size());
}

double worst_node(const online_kernel::Fit& fit,
                  const std::function<double(const online_kernel::NodeResult&)>& quality) {
  double worst = std::numeric_limits<double>::infinity();
  for (const auto& node : fit.nodes) worst = std::min(worst, quality(node.value()));
  return worst;
}

namespace {

void expect_same_sums(const online_kernel::FeatureSums& a, const online_kernel::FeatureSums& b) {
  EXPECT_EQ(a.samples, b.samples);
  EXPECT_EQ(a.weight, b.weight);
  EXPECT_EQ(a.squares, b.squares);
  EXPECT_EQ(a.features, b.features);
  EXPECT_EQ(a.targets, b.targets);
  EXPECT_EQ(a.cross, b.cross);
  EXPECT_EQ(a.products, b.products);
}

void expect_same_set(const online_kernel::FeatureSet& a, const online_kernel::FeatureSet& b) {
  EXPECT_EQ(a.random, b.random);
  EXPECT_EQ(a.landmarks, b.landmarks);
  EXPECT_EQ(a.whitening, b.whitening);
  expect_same_sums(a.closed, b.closed);
  expect_same_sums(a.pending, b.pending);
  EXPECT_EQ(a.pending_samples, b.pending_samples);
  EXPECT_EQ(a.own_samples, b.own_samples);
  EXPECT_EQ(a.memories.half_lives, b.memories.half_lives);
  EXPECT_EQ(a.memories.losses, b.memories.losses);
  EXPECT_EQ(a.memories.asked, b.memories.asked);
  ASSERT_EQ(a.memories.sums.size(), b.memories.sums.size());
  for (std::size_t i = 0; i < a.memories.sums.size(); ++i)
    expect_same_sums(a.memories.sums[i], b.memories.sums[i]);
  EXPECT_EQ(a.total, b.total);
  EXPECT_EQ(a.unopened, b.unopened);
  EXPECT_EQ(a.losses, b.losses);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.ridge, b.ridge);
  EXPECT_EQ(a.half_life, b.half_life);
  EXPECT_EQ(a.score_scale, b.score_scale);
  EXPECT_EQ(a.used, b.used);
  EXPECT_EQ(a.verdict.row(), b.verdict.row());
}

void expect_same_fit(const online_kernel::FitSums& a, const online_kernel::FitSums& b) {
  EXPECT_EQ(a.row(), b.row());
}

void expect_same_rivals(const online_kernel::RivalSet& a, const online_kernel::RivalSet& b) {
  expect_same_set(a, b);
  EXPECT_EQ(a.kernel, b.kernel);
  EXPECT_EQ(a.preprocessing.mean, b.preprocessing.mean);
  EXPECT_EQ(a.preprocessing.scale, b.preprocessing.scale);
  EXPECT_EQ(a.scene.centre, b.scene.centre);
  EXPECT_EQ(a.scene.spread, b.scene.spread);
  EXPECT_EQ(a.asked, b.asked);
  EXPECT_EQ(a.loss, b.loss);
  EXPECT_EQ(a.incumbent_loss, b.incumbent_loss);
}

void expect_same_contest(const online_kernel::Contest& a, const online_kernel::Contest& b) {
  EXPECT_EQ(a.weight, b.weight);
  EXPECT_EQ(a.quick_loss, b.quick_loss);
  EXPECT_EQ(a.usual_loss, b.usual_loss);
}

void expect_same_quick_sets(const online_kernel::QuickSet& a, const online_kernel::QuickSet& b) {
  expect_same_set(a, b);
  expect_same_contest(a.asked, b.asked);
  expect_same_contest(a.contest, b.contest);
  EXPECT_EQ(a.leads, b.leads);
}

void expect_same_features(const online_kernel::FeatureState& a, const online_kernel::FeatureState& b) {
  expect_same_set(a, b);
  ASSERT_EQ(a.rival.has_value(), b.rival.has_value());
  if (a.rival) expect_same_rivals(*a.rival, *b.rival);
  ASSERT_EQ(a.quick.has_value(), b.quick.has_value());
  if (a.quick) expect_same_quick_sets(*a.quick, *b.quick);
  EXPECT_EQ(a.warm_up, b.warm_up);
  EXPECT_EQ(a.uncounted, b.uncounted);
  EXPECT_EQ(a.recent.samples, b.recent.samples);
  EXPECT_EQ(a.recent.targets, b.recent.targets);
  EXPECT_EQ(a.recent.weights, b.recent.weights);
  EXPECT_EQ(a.solved_at, b.solved_at);
  expect_same_fit(a.fit, b.fit);
  expect_same_fit(a.fitness.usual, b.fitness.usual);
  EXPECT_EQ(a.fitness.scene.centre, b.fitness.scene.centre);
  EXPECT_EQ(a.fitness.scene.spread, b.fitness.scene.spread);
  EXPECT_EQ(a.fitness.strange_blocks, b.fitness.strange_blocks);
  EXPECT_EQ(a.class_counts, b.class_counts);
  EXPECT_EQ(a.streams, b.streams);
  EXPECT_EQ(a.met, b.met);
  EXPECT_EQ(a.next, b.next);
  EXPECT_EQ(a.totals, b.totals);
  EXPECT_EQ(a.renewals, b.renewals);
  EXPECT_EQ(a.finished, b.finished);
}

}  // namespace

void expect_same(const online_kernel::State& a, const online_kernel::State& b) {
  EXPECT_EQ(a.round, b.round);
  EXPECT_EQ(a.samples, b.samples);
  EXPECT_EQ(a.kernel, b.kernel);
  EXPECT_EQ(a.preprocessing.mean, b.preprocessing.mean);
  EXPECT_EQ(a.preprocessing.scale, b.preprocessing.scale);
  EXPECT_EQ(a.eta, b.eta);
  EXPECT_EQ(a.epsilon, b.epsilon);
  EXPECT_EQ(a.penalty, b.penalty);
  EXPECT_EQ(a.penalty_cap, b.penalty_cap);
  EXPECT_EQ(a.ended, b.ended);
  EXPECT_EQ(a.stop_counter, b.stop_counter);
  EXPECT_EQ(a.stop_at, b.stop_at);
  EXPECT_EQ(a.loss, b.loss);
  EXPECT_EQ(a.disagreement, b.disagreement);
  EXPECT_EQ(a.largest_order, b.largest_order);
  EXPECT_EQ(a.capped_at, b.capped_at);
  ASSERT_EQ(a.f.size(), b.f.size());
  EXPECT_EQ(a.f.atoms, b.f.atoms);
  EXPECT_EQ(a.f.weights, b.f.weights);
  EXPECT_EQ(a.f.gram, b.f.gram);
  EXPECT_EQ(a.f.inverse.values, b.f.inverse.values);
  EXPECT_EQ(a.class_counts, b.class_counts);
  EXPECT_EQ(a.progressive.loss, b.progressive.loss);
  EXPECT_EQ(a.progressive.classes, b.progressive.classes);
  EXPECT_EQ(a.target.centre, b.target.centre);
  EXPECT_EQ(a.target.scale, b.target.scale);
  ASSERT_EQ(a.features.has_value(), b.features.has_value());
  if (a.features) expect_same_features(*a.features, *b.features);
}

}  // namespace choir::testing
