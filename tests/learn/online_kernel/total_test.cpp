#include "choir/learn/online_kernel/total.h"

#include "learn/online_kernel/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/learn/online_kernel/feature_start.h"
#include "choir/learn/online_kernel/ridge_family.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::online_kernel {
namespace {

constexpr Index features_opened = 20;
constexpr Index opening_nodes = 2;

struct Opened {
  FeatureSums first, second;  // of this node
  State state;
};

// Two blocks, one after the other, each opened.
std::vector<Opened> opened(std::optional<double> half_life, std::vector<Index> chosen) {
  Options options = wave_options(Consensus::diffusion);
  options.representation = Representation::random_features;
  options.n_features = features_opened;
  options.half_life = half_life;
  const auto data = strips(opening_nodes, 120, 1);
  const Contract contract{.method = "opening",
                          .kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
  SimEngine engine;
  auto outcome = run_nodes<Opened>(
      engine, make_topology("line", opening_nodes, 0), contract, {}, [&](Node& node) -> Task<Opened> {
        Opened mine;
        std::vector<std::string> notes;
        const TargetedSamples& own = data[static_cast<std::size_t>(node.id())];
        SecureSums sums = co_await open_secure_sums(node);
        mine.state = co_await first_feature_state(node, sums, own, options, notes);
        FeatureState& set = *mine.state.features;
        Gathering gathering{.node = node,
                            .options = options,
                            .map = feature_map_of(mine.state, nullptr),
                            .sums = std::move(sums)};
        for (FeatureSums* block : {&mine.first, &mine.second}) {
          const Index from = block == &mine.first ? 0 : 60;
          set.closed.learn(gathering.map.features(own.samples.middleCols(from, 60)),
                           own.targets.segment(from, 60), Vector::Ones(60));
          *block = set.closed;
          const SetAtWork work{.set = set, .map = gathering.map, .preprocessing = mine.state.preprocessing};
          co_await open_total(gathering, work, set.recent, chosen, Learned::yes);
        }
        co_return mine;
      });
  std::vector<Opened> all;
  for (auto& node : outcome.results) all.push_back(std::move(*node));
  return all;
}

std::vector<Index> leading(Index count) {
  std::vector<Index> chosen(static_cast<std::size_t>(count));
  for (Index n = 0; n < count; ++n) chosen[static_cast<std::size_t>(n)] = n;
  return chosen;
}

void expect_regression_of(const FeatureSums& total, const FeatureState& found) {
  const Vector ridges = ridge_grid(ridge_family(total));
  EXPECT_LE((ridges.array() / found.ridge - 1).abs().minCoeff(), 1e-6) << "one of the grid";
  const Matrix expected = ridge_weights(total, found.ridge / ridge_family(total).length);
  EXPECT_LE((found.weights - expected).norm(), 1e-5 * expected.norm());
}

TEST(Total, BlocksOpenedOneByOneAreOneTotal) {
  const auto all = opened(0, leading(features_opened));
  FeatureSums total = FeatureSums::none(features_opened, 1);
  for (const Opened& node : all) {
    total += node.first;
    total += node.second;
  }
  for (const Opened& node : all) {
    expect_regression_of(total, *node.state.features);
    EXPECT_EQ(node.state.features->closed.samples, 0);
    EXPECT_EQ(node.state.features->used, features_opened);
  }
}

// More of their moments are opened when there are more samples: they stay.
TEST(Total, OfAFewFeaturesBlocksStayClosed) {
  for (const Opened& node : opened(0, leading(8))) {
    EXPECT_EQ(node.second.samples, 120) << "with the first block's";
    EXPECT_EQ(node.state.features->closed.samples, 120);
    EXPECT_EQ(node.state.features->used, 8);
    EXPECT_EQ(node.state.features->weights.middleRows(8, features_opened - 8),
              Matrix::Zero(features_opened - 8, 1));
  }
}

TEST(Total, OnlyTheRootRemembers) {
  const auto all = opened(std::nullopt, leading(features_opened));
  ASSERT_EQ(all[0].state.features->memories.sums.size(), 4U);
  EXPECT_EQ(all[0].state.features->memories.sums[0].samples, 240);
  EXPECT_TRUE(all[1].state.features->memories.sums.empty());
  EXPECT_EQ(all[0].state.features->half_life, all[1].state.features->half_life);
}

TEST(Total, TargetsOfClassesAreCodedAndValuesAreNot) {
  Matrix expected(3, 4);
  expected << 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1;
  EXPECT_EQ(coded_targets(Eigen::Vector3d(2, 0, 3), 4), expected);
  EXPECT_EQ(coded_targets(Eigen::Vector3d(2, 0.5, 3), 1), Eigen::Vector3d(2, 0.5, 3));
}

TEST(Total, NoSamplesHaveNoFeatures) {
  FeatureSet set;
  set.closed = FeatureSums::none(features_opened, 1);
  const Matrix none = features_of(FeatureMap(), set, Samples(2, 0));
  EXPECT_EQ(none.rows(), features_opened);
  EXPECT_EQ(none.cols(), 0);
}

}  // namespace
}  // namespace choir::online_kernel
