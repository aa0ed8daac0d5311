#include "choir/learn/online_kernel/feature_start.h"

#include "learn/online_kernel/toy.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/learn/online_kernel/start.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::online_kernel {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Index starting_nodes = 3;

struct Started {
  State state;
  std::vector<std::string> notes;
};

std::vector<Started> started(const std::vector<TargetedSamples>& first, const Options& options) {
  const Contract contract{
      .method = "start",
      .kinds = {Kind::centroids, Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
  SimEngine engine;
  auto outcome = run_nodes<Started>(
      engine, make_topology("line", starting_nodes, 0), contract, {}, [&](Node& node) -> Task<Started> {
        Started mine;
        SecureSums sums = co_await open_secure_sums(node);
        const TargetedSamples& own = first[static_cast<std::size_t>(node.id())];
        mine.state = co_await first_feature_state(node, sums, own, options, mine.notes);
        co_return mine;
      });
  std::vector<Started> all;
  for (auto& node : outcome.results) all.push_back(std::move(*node));
  return all;
}

Options class_options(Representation kind, Index features) {
  Options options = mixture_options(Consensus::diffusion);
  options.representation = kind;
  options.n_features = features;
  options.n_landmarks = features;
  return options;
}

// Node i has seen classes 2i and 2i + 1 alone.
TEST(FeatureStart, AllNodesCountTheClassesOfAll) {
  const auto first = skewed(Mixtures(3).draw(900, 1), starting_nodes, 200, 2);
  Vector expected = Vector::Zero(Mixtures::classes);
  for (const TargetedSamples& own : first)
    for (const double place : own.targets) expected(static_cast<Index>(place)) += 1;
  const Options options = class_options(Representation::random_features, 40);
  for (const auto& [state, notes] : started(first, options)) {
    const FeatureState& features = *state.features;
    EXPECT_LE((features.class_counts - expected).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_EQ(features.uncounted, Vector::Zero(Mixtures::classes));
    EXPECT_EQ(features.streams, starting_nodes);
    EXPECT_EQ(features.warm_up, static_cast<std::uint64_t>(warm_up_batches(options, starting_nodes)));
    EXPECT_GE(features.next, 1u);
    EXPECT_LE(features.next, 2 * features.warm_up);
    EXPECT_EQ(features.weights, Matrix::Zero(41, Mixtures::classes));
    EXPECT_EQ(features.closed.samples + features.pending.samples, 0);
    EXPECT_THAT(notes, IsEmpty());
  }
}

TEST(FeatureStart, AllNodesHaveTheSameFeatures) {
  const auto first = skewed(Mixtures(3).draw(900, 1), starting_nodes, 200, 2);
  const Samples asked = Mixtures(3).draw(10, 7).samples;
  for (const Representation kind : {Representation::random_features, Representation::landmarks}) {
    const auto all = started(first, class_options(kind, 40));
    const Matrix expected = feature_map_of(all[0].state, nullptr).features(asked);
    EXPECT_EQ(expected.rows(), all[0].state.features->size());
    for (const Started& node : all) EXPECT_EQ(feature_map_of(node.state, nullptr).features(asked), expected);
  }
}

TEST(FeatureStart, AShortHalfLifeLeavesFewerFeaturesAndSaysSo) {
  const auto first = skewed(Mixtures(3).draw(900, 1), starting_nodes, 200, 2);
  Options options = class_options(Representation::random_features, 400);
  options.half_life = 300;
  for (const auto& [state, notes] : started(first, options)) {
    EXPECT_LT(state.features->size(), 400);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_THAT(notes[0], HasSubstr("instead of 400: a half-life of 300 samples"));
  }
}

TEST(FeatureStart, ValuesHaveNoClasses) {
  Options options = wave_options(Consensus::diffusion);
  options.representation = Representation::random_features;
  options.n_features = 40;
  for (const auto& [state, notes] : started(strips(starting_nodes, 200, 1), options)) {
    EXPECT_EQ(state.features->class_counts.size(), 0);
    EXPECT_EQ(state.features->weights.cols(), 1);
  }
}

}  // namespace
}  // namespace choir::online_kernel
