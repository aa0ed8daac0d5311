#include "choir/experiment/online_kernel/quality.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/experiment/online_kernel/trace.h"

namespace choir {
namespace {

using ::testing::ElementsAre;

// f(x) = weight k(atom, x) on the line, k = exp(-(x - y)^2); a column for each weight.
online_kernel::State state_of(double atom, std::initializer_list<double> weights) {
  online_kernel::State state;
  state.kernel = {.kind = KernelKind::rbf, .gamma = 1};
  state.f = online_kernel::empty_expansion(1, static_cast<Index>(weights.size()));
  state.f.atoms = Samples::Constant(1, 1, atom);
  state.f.gram = Matrix::Ones(1, 1);
  state.f.weights = Matrix(1, static_cast<Index>(weights.size()));
  Index column = 0;
  for (const double weight : weights) state.f.weights(0, column++) = weight;
  return state;
}

TargetedSamples at_nought_and_one(double first, double second) {
  TargetedSamples samples{.samples = Samples(1, 2), .targets = Vector(2)};
  samples.samples << 0, 1;
  samples.targets << first, second;
  return samples;
}

TEST(OnlineQuality, AccuracyIsByTheLargestScore) {
  const std::vector<online_kernel::State> nodes = {state_of(0, {1, -1}), state_of(0, {-1, 1})};
  const OverNodes right = accuracy(nodes, at_nought_and_one(0, 0));
  EXPECT_DOUBLE_EQ(right.mean, 0.5);
  EXPECT_DOUBLE_EQ(right.worst, 0);
}

TEST(OnlineQuality, ErrorsOfValues) {
  const std::vector<online_kernel::State> nodes = {state_of(0, {2}), state_of(0, {1})};
  const double e = std::exp(-1.0);
  const OverNodes error = rmse(nodes, at_nought_and_one(1, e));
  EXPECT_NEAR(error.worst, std::sqrt((1 + e * e) / 2), 1e-12);
  EXPECT_NEAR(error.mean, error.worst / 2, 1e-12);
}

TEST(OnlineQuality, ObjectiveIsLossAndRidge) {
  const TargetedSamples sample{.samples = Samples::Zero(1, 1), .targets = Vector::Zero(1)};
  const double loss = std::log(1 + std::exp(-2.0));
  EXPECT_NEAR(objective({state_of(0, {1, -1})}, sample, 0.5), loss + 0.5, 1e-12);  // ||f||^2 = 2
}

TEST(OnlineQuality, DisagreementIsOverEdges) {
  const std::vector<online_kernel::State> nodes = {state_of(0, {1}), state_of(1, {1}), state_of(0, {3})};
  const std::vector<Edge> edges = {{0, 1}, {1, 2}};
  const double e = std::exp(-1.0);
  const double expected = (2 - 2 * e) + (1 + 9 - 6 * e);
  EXPECT_NEAR(disagreement(nodes, Graph::from_edges(3, edges)), expected, 1e-12);
}

TEST(OnlineQuality, OrdersAndScores) {
  const std::vector<online_kernel::State> nodes = {state_of(0, {1}), state_of(1, {-4})};
  EXPECT_DOUBLE_EQ(model_order(nodes).mean, 1);
  EXPECT_NEAR(largest_score(nodes, at_nought_and_one(0, 0)), 4, 1e-12);
}

TEST(OnlineTrace, KeepsWhatNodesWereAfterTheRoundsAskedFor) {
  OnlineTrace trace(2, {1, 3});
  const online_kernel::Hooks hooks = trace.hooks();
  for (std::uint64_t round = 1; round <= 4; ++round) {
    online_kernel::State state = state_of(static_cast<double>(round), {1});
    state.samples = 10 * round;
    for (const NodeId node : {0, 1}) hooks.after_round({.node = node, .round = round}, state);
  }
  ASSERT_EQ(trace.moments().size(), 2u);
  EXPECT_EQ(trace.moments()[1].samples(), 30u);
  EXPECT_EQ(trace.moments()[1].nodes[1].f.atoms(0, 0), 3);
  EXPECT_EQ(trace.moments()[0].nodes[0].f.atoms(0, 0), 1);
}

TEST(OnlineTrace, RoundsAreEvenlySpacedAndEndWithTheLast) {
  EXPECT_EQ(rounds_of(64, 32), 2u);
  EXPECT_EQ(rounds_of(65, 32), 3u);
  EXPECT_THAT(every(2, 5), ElementsAre(2, 4, 5));
  EXPECT_THAT(every(0, 2), ElementsAre(1, 2));
}

}  // namespace
}  // namespace choir
