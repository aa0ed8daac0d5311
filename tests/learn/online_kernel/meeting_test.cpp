#include "choir/learn/online_kernel/meeting.h"

#include <algorithm>

#include "learn/online_kernel/toy.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/learn/online_kernel/feature_start.h"
#include "choir/learn/online_kernel/openings.h"
#include "choir/learn/online_kernel/ridge_family.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::online_kernel {
namespace {

using ::testing::HasSubstr;

constexpr Index meeting_nodes = 3;
constexpr Index features_met = 20;

Options value_options() {
  Options options = wave_options(Consensus::diffusion);
  options.representation = Representation::random_features;
  options.n_features = features_met;
  return options;
}

struct Met {
  State state;
  FeatureSums learned;  // before they met
  std::vector<std::string> notes;
};

// Nodes that have each learned from `own` in one block and meet after it.
std::vector<Met> met(const std::vector<TargetedSamples>& data, const Options& options, bool ended) {
  const Contract contract{.method = "meeting",
                          .kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
  SimEngine engine;
  auto outcome = run_nodes<Met>(
      engine, make_topology("line", meeting_nodes, 0), contract, {}, [&](Node& node) -> Task<Met> {
        Met mine;
        const TargetedSamples& own = data[static_cast<std::size_t>(node.id())];
        SecureSums sums = co_await open_secure_sums(node);
        mine.state = co_await first_feature_state(node, sums, own, options, mine.notes);
        Gathering gathering{.node = node,
                            .options = options,
                            .map = feature_map_of(mine.state, nullptr),
                            .sums = std::move(sums)};
        FeatureState& state = *mine.state.features;
        const Vector targets = (own.targets.array() - mine.state.target.centre) / mine.state.target.scale;
        const Vector ones = Vector::Ones(targets.size());
        Samples samples = own.samples;
        mine.state.preprocessing.apply(samples);
        state.pending.learn(features_of(gathering.map, state, samples), coded_targets(targets, 1), ones);
        state.pending_samples = samples.cols();
        state.own_samples = samples.cols();
        state.recent = {.samples = own.samples, .targets = targets, .weights = ones};
        mine.state.round = 1;
        mine.state.ended = ended;
        mine.learned = state.pending;
        co_await meet(gathering, mine.state, mine.notes);
        co_return mine;
      });
  std::vector<Met> all;
  for (auto& node : outcome.results) all.push_back(std::move(*node));
  return all;
}

std::vector<Index> all_features() {
  std::vector<Index> all(static_cast<std::size_t>(features_met));
  for (Index n = 0; n < features_met; ++n) all[static_cast<std::size_t>(n)] = n;
  return all;
}

TEST(Meeting, AtTheEndEveryNodeHasTheRegressionOfAllSamples) {
  const auto all = met(strips(meeting_nodes, 120, 1), value_options(), true);
  FeatureSums total = FeatureSums::none(features_met, 1);
  for (const Met& node : all) total += node.learned;
  const Vector ridges = ridge_grid(ridge_family(total));
  for (const auto& [state, learned, notes] : all) {
    const FeatureState& found = *state.features;
    EXPECT_TRUE(found.finished);
    EXPECT_EQ(found.streams, 0);
    EXPECT_EQ(found.totals, 1);
    EXPECT_EQ(found.used, features_met);
    EXPECT_LE((ridges.array() / found.ridge - 1).abs().minCoeff(), 1e-6) << "one of the grid";
    const Matrix expected = ridge_weights(total, found.ridge);
    EXPECT_LE((found.weights - expected).norm(), 1e-5 * expected.norm());
    EXPECT_EQ(found.weights, all[0].state.features->weights);
  }
}

// 3 x 10 samples, of 80 that a total of 20 features needs.
TEST(Meeting, BeforeABlockIsCompleteNothingIsOpened) {
  const Options options = value_options();
  const auto all = met(strips(meeting_nodes, 10, 1), options, false);
  for (const auto& [state, learned, notes] : all) {
    const FeatureState& found = *state.features;
    EXPECT_FALSE(found.finished);
    EXPECT_EQ(found.totals, 0);
    EXPECT_EQ(found.streams, meeting_nodes);
    EXPECT_EQ(found.closed.samples, 0);
    EXPECT_EQ(found.pending.packed(all_features()), learned.packed(all_features()));
    const double missing = block_quota(features_met, 0) - 3 * 10;
    EXPECT_EQ(found.next, 1 + rounds_until(missing, meeting_nodes, options.batch));
  }
}

// A total one block late: the samples of the last block are the ones that it is asked about.
TEST(Meeting, ACompleteBlockIsClosedAndOpenedWithTheNext) {
  for (const auto& [state, learned, notes] : met(strips(meeting_nodes, 120, 1), value_options(), false)) {
    const FeatureState& found = *state.features;
    EXPECT_EQ(found.totals, 0);
    EXPECT_EQ(found.closed.packed(all_features()), learned.packed(all_features()));
    EXPECT_EQ(found.pending.samples, 0);
    EXPECT_EQ(found.pending_samples, 0);
    EXPECT_NEAR(found.total, 360, 1e-6);
    EXPECT_NEAR(found.unopened, 360, 1e-6);
  }
}

TEST(Meeting, FewSamplesOpenFewFeaturesAndSaySo) {
  for (const auto& [state, learned, notes] : met(strips(meeting_nodes, 10, 1), value_options(), true)) {
    const FeatureState& found = *state.features;
    EXPECT_TRUE(found.finished);
    EXPECT_LE(static_cast<double>(found.used) * samples_per_feature, 30);
    EXPECT_GT(found.used, 0);
    const Index with_weight = (found.weights.topRows(features_met).array().abs() > 0).count();
    EXPECT_LE(with_weight, found.used);
    ASSERT_FALSE(notes.empty());
    EXPECT_THAT(notes.back(), HasSubstr(" of 20 features are used"));
  }
}

}  // namespace
}  // namespace choir::online_kernel
