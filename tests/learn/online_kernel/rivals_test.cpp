#include "choir/learn/online_kernel/rivals.h"

#include "learn/online_kernel/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/learn/online_kernel/feature_start.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::online_kernel {
namespace {

constexpr Index rival_nodes = 2;
constexpr Index fresh_samples = 100;  // of 200 samples that a node has kept

Options rival_options() {
  Options options = wave_options(Consensus::diffusion);
  options.representation = Representation::landmarks;
  options.n_landmarks = 12;
  options.gamma = parse_gamma("scale");
  options.preprocessing.standardize = Standardize::zscore;
  return options;
}

// The first half of what a node has kept is as it was at the start, the second 30 times as large.
Samples kept_by(const TargetedSamples& own) {
  Samples kept = own.samples;
  kept.rightCols(fresh_samples) *= 30;
  return kept;
}

// Calls look(state, gathering) at every node after a rival has begun.
template <class Look>
std::vector<State> states_after(Look look) {
  const Options options = rival_options();
  const auto data = strips(rival_nodes, 2 * fresh_samples, 1);
  const Contract contract{
      .method = "rivals",
      .kinds = {Kind::centroids, Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
  SimEngine engine;
  auto outcome = run_nodes<State>(
      engine, make_topology("line", rival_nodes, 0), contract, {}, [&](Node& node) -> Task<State> {
        std::vector<std::string> notes;
        const TargetedSamples& own = data[static_cast<std::size_t>(node.id())];
        SecureSums sums = co_await open_secure_sums(node);
        State state = co_await first_feature_state(node, sums, own, options, notes);
        Gathering gathering{
            .node = node, .options = options, .map = feature_map_of(state, nullptr), .sums = std::move(sums)};
        state.features->recent.samples = kept_by(own);
        state.features->fitness.strange_blocks = 2;
        co_await begin_rival(gathering, state, fresh_samples);
        look(state, gathering);
        co_return state;
      });
  std::vector<State> all;
  for (auto& node : outcome.results) all.push_back(std::move(*node));
  return all;
}

void judge_as(double loss, FeatureSet& set) {
  set.verdict.weight = 10;
  set.verdict.loss = 10 * loss;
}

TEST(Rivals, SeeTheLatestSamplesAsTheOthersSawTheFirst) {
  const auto all = states_after([](State&, Gathering&) {});
  for (const State& state : all) {
    const RivalSet& rival = *state.features->rival;
    EXPECT_NEAR(rival.preprocessing.scale.norm() / state.preprocessing.scale.norm(), 30, 3);
    EXPECT_NEAR(rival.scene.spread, 2, 0.1) << "two features of variance 1";
    EXPECT_LE(rival.landmarks.cwiseAbs().maxCoeff(), 4);
    EXPECT_EQ(rival.total, 0);
    EXPECT_EQ(rival.landmarks, all[0].features->rival->landmarks);
    EXPECT_EQ(features_at_work(*state.features), state.features->size() + rival.size());
    EXPECT_EQ(samples_needed(*state.features),
              4.0 * static_cast<double>(state.features->size() + rival.size()));
  }
}

TEST(Rivals, TheBetterOneTakesOver) {
  RivalSet expected;
  const auto all = states_after([&](State& state, Gathering& gathering) {
    expected = *state.features->rival;
    judge_as(0.4, state.features.value());
    judge_as(0.3, *state.features->rival);
    compare_sets(gathering, state);
    EXPECT_FALSE(gathering.rival_map);
  });
  const FeatureState& features = *all[1].features;
  EXPECT_FALSE(features.rival);
  EXPECT_EQ(features.renewals, 1);
  EXPECT_EQ(features.landmarks, expected.landmarks);
  EXPECT_EQ(all[1].kernel, expected.kernel);
  EXPECT_EQ(all[1].preprocessing.scale, expected.preprocessing.scale);
  EXPECT_EQ(features.fitness.scene.spread, expected.scene.spread);
  EXPECT_EQ(features.fitness.strange_blocks, 0);
}

TEST(Rivals, TheWorseOneIsDroppedAfterFourTotals) {
  const auto all = states_after([](State& state, Gathering& gathering) {
    for (Index n = 0; n < 4; ++n) {
      ASSERT_TRUE(state.features->rival) << n;
      judge_as(0.3, state.features.value());
      judge_as(0.4, *state.features->rival);
      compare_sets(gathering, state);
    }
  });
  EXPECT_FALSE(all[0].features->rival);
  EXPECT_EQ(all[0].features->renewals, 0);
  EXPECT_EQ(all[0].features->fitness.strange_blocks, 0) << "this is how the stream looks now";
  EXPECT_EQ(features_at_work(*all[0].features), all[0].features->size());
}

}  // namespace
}  // namespace choir::online_kernel
