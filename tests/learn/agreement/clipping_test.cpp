#include "choir/learn/agreement/clipping.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/matrices.h"
#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/graph/topology.h"
#include "choir/learn/fit_nodes.h"
#include "choir/linalg/columns.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

Samples normals(Index features, Index count, std::uint64_t seed) {
  Rng rng(seed, Purpose("test-clipping"));
  return Samples::NullaryExpr(features, count, [&] { return rng.normal(); });
}

double quantile(const Samples& samples, Index feature, double level) {
  std::vector<double> values;
  for (Index n = 0; n < samples.cols(); ++n) values.push_back(samples(feature, n));
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(level * static_cast<double>(values.size()))];
}

std::vector<Samples> clipped_by_nodes(const std::vector<Samples>& shards) {
  SimEngine engine;
  const Graph graph = make_topology("line", static_cast<Index>(shards.size()), 0);
  const Contract contract{.method = "test",
                          .kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
  const auto fit = fit_nodes<Samples>(engine, graph, contract, {}, [&](Node& node) {
    return agreed_clipped(node, shards[static_cast<std::size_t>(node.id())]);
  });
  std::vector<Samples> clipped;
  for (const auto& node : fit.nodes) clipped.push_back(*node);
  return clipped;
}

TEST(Clipping, CountingFindsAQuantile) {
  const Samples samples = normals(2, 1000, 1);
  Intervals low(2, 2);
  low << -50, -1e6, 50, 1e6;
  for (int round = 0; round < 8; ++round) low = narrowed(low, count_below(inner_edges(low), samples), 50);
  for (Index feature = 0; feature < 2; ++feature)
    EXPECT_NEAR(low(0, feature), quantile(samples, feature, 0.05), 0.02);
}

TEST(Clipping, CleanSamplesStayAsTheyAre) {
  const std::vector<Samples> shards = {normals(3, 100, 1), normals(3, 60, 2), normals(3, 0, 3)};
  EXPECT_EQ(clipped_by_nodes(shards), shards);
}

TEST(Clipping, AnOutlierIsBroughtBackToTheOthers) {
  std::vector<Samples> shards = {normals(2, 80, 1), normals(2, 80, 2)};
  const std::vector<Samples> clean = shards;
  shards[1].col(7).setConstant(1e4);
  const std::vector<Samples> clipped = clipped_by_nodes(shards);
  EXPECT_EQ(clipped[0], clean[0]);
  const Samples all = side_by_side(clean);
  for (Index feature = 0; feature < 2; ++feature) {
    const double low = quantile(all, feature, 3.0 / 160), high = quantile(all, feature, 1 - 3.0 / 160);
    EXPECT_NEAR(clipped[1](feature, 7), high + (high - low), 0.5);
  }
  shards[1].col(7) = clean[1].col(7);
  shards[1].col(8).setConstant(-1e9);
  EXPECT_GT(clipped_by_nodes(shards)[1].minCoeff(), -8) << "nine decades away";
}

// Nearly all values of the first feature are zero: its quantiles say nothing about those that are not.
TEST(Clipping, AFeatureThatIsMostlyTheSameKeepsItsOtherValues) {
  std::vector<Samples> shards = {normals(2, 200, 1)};
  shards[0].row(0).setZero();
  shards[0](0, 3) = 1;
  shards[0](0, 9) = 1e6;
  const std::vector<Samples> clipped = clipped_by_nodes(shards);
  EXPECT_EQ(clipped[0](0, 3), 1);
  EXPECT_LT(clipped[0](0, 9), 10);
  const std::vector<Samples> same = {Samples::Constant(2, 30, 4.0)};
  EXPECT_EQ(clipped_by_nodes(same), same);
}

// Of `count` samples every `every`th one has a value, each of another size; the others have none.
Samples rarely(Index count, Index every, double sign) {
  Samples values = Samples::Zero(1, count);
  for (Index n = every; n < count; n += every)
    values(0, n) = sign * std::pow(static_cast<double>(n) / static_cast<double>(count), 4);
  return values;
}

// More values than the quantiles leave out, but so few that most of them are far beyond the quantiles.
TEST(Clipping, RareValuesOfEverySizeStayAsTheyAre) {
  Samples samples(3, 2000);
  samples << normals(1, 2000, 1), rarely(2000, 150, 1), rarely(2000, 150, 1) + rarely(2000, 190, -1);
  const std::vector<Samples> shards = {samples.leftCols(1400), samples.rightCols(600)};
  EXPECT_EQ(clipped_by_nodes(shards), shards);
}

TEST(Clipping, AnOutlierAmongRareValuesIsBroughtBackToTheWidestFeature) {
  Samples samples(2, 2000);
  samples << normals(1, 2000, 1), rarely(2000, 150, 1);
  samples(1, 77) = 1e4;
  const Samples clipped = clipped_by_nodes({samples}).front();
  const double widest = quantile(samples, 0, 1996.5 / 2000) - quantile(samples, 0, 2.5 / 2000);
  const double end = std::pow(1650.0 / 2000, 4);  // three values are larger
  EXPECT_NEAR(clipped(1, 77), end + 2 * widest, 1e-3);
}

TEST(Clipping, AFeatureWithEnoughOtherValuesSaysItselfWhereTheyEnd) {
  Samples samples(2, 2000);
  samples << 100 * normals(1, 2000, 1), Samples::Zero(1, 2000);
  for (Index n = 0; n < 2000; n += 25) samples(1, n) = 1;
  samples(1, 77) = 1e4;
  EXPECT_NEAR(clipped_by_nodes({samples}).front()(1, 77), 2, 1e-6);
}

}  // namespace
}  // namespace choir
