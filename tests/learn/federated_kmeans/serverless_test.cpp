// Nodes that find clusters without a server.
#include <chrono>
#include <utility>
#include <vector>

#include "learn/federated_kmeans/toy.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/metrics/clustering.h"

namespace choir::federated_kmeans {
namespace {

using ::testing::HasSubstr;

constexpr Index serverless_count = 6;

Options serverless_options() {
  Options options = small_options();
  options.coordination = Coordination::gossip;
  options.masks = Masks::off;
  return options;
}

TEST(FederatedKmeans, ParallelSeedingWorksWithoutAServerToo) {
  Options options = serverless_options();
  options.embedding = Embedding::random_features;
  options.seeding = Seeding::parallel;
  const Fit fit = testing::simulate_ring(dealt(small_data().samples, serverless_count), options);
  EXPECT_GT(adjusted_rand_index(small_data().labels, testing::labels_of(fit, serverless_count)), 0.95);
}

TEST(FederatedKmeans, NodesWithoutAServerRefuseAsDevicesDo) {
  Options options = serverless_options();
  std::vector<Samples> shards = dealt(small_data().samples, serverless_count);
  shards[1].conservativeResize(Eigen::NoChange, 20);
  const Fit fit = testing::simulate_ring(shards, options);
  EXPECT_THAT(fit.at(1).notes, ::testing::Contains(HasSubstr("refuses all sums")));
  EXPECT_NEAR(fit.at(0).rounds.front().samples, 500, 1e-6);
  EXPECT_EQ(std::ssize(fit.at(1).labels), 20);
}

class Serverless : public ::testing::TestWithParam<Index> {};  // messages
INSTANTIATE_TEST_SUITE_P(NodeResult, Serverless, ::testing::Values(0, 60));

TEST_P(Serverless, NodesFindTheSameClustersByThemselves) {
  Options options = serverless_options();
  options.messages_per_node = GetParam();
  const auto shards = dealt(small_data().samples, serverless_count);
  const Fit fit = testing::simulate_ring(shards, options);
  EXPECT_GT(adjusted_rand_index(small_data().labels, testing::labels_of(fit, serverless_count)), 0.95);
  const Matrix first = fit.at(0).model.embed(small_data().samples);
  for (NodeId node = 1; node < serverless_count; ++node) {
    const Matrix other = fit.at(node).model.embed(small_data().samples);
    EXPECT_LT((other - first).norm(), (GetParam() == 0 ? 1e-5 : 0.1) * first.norm());
  }
}

// Five messages are far too few: centres go on moving by what they leave.
TEST(FederatedKmeans, EndsWhereGossipOfFewMessagesKeepsTheCentresMoving) {
  Options options = serverless_options();
  options.messages_per_node = 5;
  const Fit fit = testing::simulate_ring(dealt(small_data().samples, serverless_count), options);
  const NodeResult& first = fit.at(0);
  EXPECT_FALSE(first.converged);
  EXPECT_LT(first.iterations, 150);
  EXPECT_GT(first.change.value(), options.tol);
  EXPECT_THAT(first.notes, ::testing::Contains(HasSubstr("gossip with so few messages")));
  EXPECT_LT(fit.report.elapsed, first.rounds.size() * std::chrono::milliseconds(500));
}

}  // namespace
}  // namespace choir::federated_kmeans
