#include <cmath>

#include "graph/expect_error.h"
#include "learn/gossip_pca/toy.h"
#include <gtest/gtest.h>

#include "choir/learn/central/kernel_pca.h"
#include "choir/learn/gossip_pca/gossip_pca.h"
#include "choir/learn/gossip_pca/quality.h"
#include "choir/linalg/columns.h"
#include "choir/linalg/eigen.h"
#include "choir/metrics/subspace.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::gossip_pca {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// The bar: E <= 1e-6 after 30 messages a node and <= 1e-11 after 60, for rank-p data with any mean.
TEST(GossipPca, FindsDataOfLowRankExactly) {
  const Samples samples = low_rank_samples(200, 30, 10000, 1);
  const Yardstick yardstick(samples, 30);
  const Quality after30 = yardstick.measure(simulate(dealt(samples, 100), plain_options(30, 30)));
  const Quality after60 = yardstick.measure(simulate(dealt(samples, 100), plain_options(30, 60)));
  EXPECT_LT(after30.error_relative, 1e-6);
  EXPECT_LT(after60.error_relative, 1e-11);
  EXPECT_NEAR(after60.mass, 1, 1e-12);
  EXPECT_GT(after60.subspace_cosine_min, 1 - 1e-9);
}

TEST(GossipPca, CorrectedOrthogonalIterationsConvergeWhereTheirTheoremHolds) {
  const Samples samples = low_rank_samples(40, 5, 600, 1);
  const Yardstick yardstick(samples, 5);
  Options options = plain_options(5, 60);
  options.merge = MergeRule::orthogonal_iterations;
  options.carry = 6;  // the mean costs one direction
  options.max_t = 10;
  const double corrected = yardstick.measure(simulate(dealt(samples, 20), options)).error_relative;
  options.ritz_values = RitzValues::diagonal;
  const double diagonal = yardstick.measure(simulate(dealt(samples, 20), options)).error_relative;
  EXPECT_LT(corrected, 1e-8);
  EXPECT_GT(diagonal, corrected);
}

TEST(GossipPca, LatePcaIsExact) {
  const Samples samples = spread_samples(20, 400, 1);
  const Yardstick yardstick(samples, 20);
  Options options = plain_options(20, 80);
  options.merge = MergeRule::late;
  EXPECT_LT(yardstick.measure(simulate(dealt(samples, 10), options)).error_relative, 1e-10);
}

TEST(GossipPca, TheTreeGivesAllNodesTheSameBitsWithTwoMessagesEach) {
  const Samples samples = low_rank_samples(30, 6, 400, 1);
  const Yardstick yardstick(samples, 6);
  Options options = plain_options(6, 1);
  options.schedule = Schedule::tree;
  const Fit fit = simulate(dealt(samples, 12), options, {}, "ring:4");
  EXPECT_LT(yardstick.measure(fit).error_relative, 1e-12);
  for (const auto& node : fit.nodes) {
    EXPECT_EQ(node->directions, fit.at(0).directions);
    EXPECT_EQ(node->participants, 12);
    EXPECT_EQ(node->samples, 400);
    EXPECT_TRUE(node->notes.empty());
  }
  EXPECT_EQ(fit.report.ledger.total(Kind::own_statistics).messages, 22u);
}

TEST(GossipPca, EveryScheduleEndsNearTheSame) {
  const Samples samples = low_rank_samples(30, 6, 400, 1);
  const Yardstick yardstick(samples, 6);
  for (const Schedule schedule :
       {Schedule::random, Schedule::broadcast, Schedule::master, Schedule::fast_master}) {
    Options options = plain_options(6, 200);
    options.schedule = schedule;
    const Fit fit = simulate(dealt(samples, 8), options, {}, "star");
    EXPECT_LT(yardstick.measure(fit).error_relative, 1e-6) << to_string(schedule);
  }
}

TEST(GossipPca, MastersNeedLinksToAll) {
  Options options = plain_options(2, 10);
  options.schedule = Schedule::master;
  testing::expect_error(ErrorCategory::InvalidArgument, {"master", "node 0", "star"},
                        [&] { simulate(dealt(spread_samples(5, 60, 1), 6), options, {}, "ring:2"); });
}

TEST(GossipPca, CoordinatesThatAreSpreadGiveTheSameDirectionsAndVariances) {
  const Samples samples = spread_samples(40, 30, 1);
  const EigenPairs dense =
      eigen_symmetric<double>((samples.colwise() - samples.rowwise().mean()) *
                              (samples.colwise() - samples.rowwise().mean()).transpose());
  Options options = plain_options(4, 120);
  options.partition = Division::coordinates;
  options.carry = 29;  // the rank: nothing is dropped
  const Fit fit = simulate(dealt_rows(samples, 8), options);
  Matrix all(40, 4);
  for (const auto& node : fit.nodes) {
    all.middleRows(5 * node->node, 5) = node->loadings;
    EXPECT_NEAR(node->total_weight, 40, 1e-6);
    EXPECT_EQ(node->samples, 30);
    const Vector scatter = node->variances * node->total_weight;
    EXPECT_LT((scatter - dense.values.head(4)).norm(), 1e-6 * dense.values(0));
  }
  EXPECT_LT((all.transpose() * all - Matrix::Identity(4, 4)).norm(), 1e-5);
  EXPECT_LT(subspace_error(all, dense.vectors.leftCols(4)), 1e-9);
}

// More dimensions than the whole covariance would be summed for at once.
TEST(GossipPca, StopsWhenItsEstimateHasSettled) {
  const Samples samples = low_rank_samples(260, 6, 800, 1);
  const Yardstick yardstick(samples, 6);
  Options options = plain_options(6, 2000);
  options.tol = 1e-6;
  const Fit fit = simulate(dealt(samples, 20), options);
  for (const auto& node : fit.nodes) {
    EXPECT_TRUE(node->converged);
    EXPECT_LT(node->change, 1e-6);
    EXPECT_LT(node->gap, 1e-6);
    EXPECT_LT(node->counts.sent, 500u);
    EXPECT_FALSE(node->history.empty());
  }
  EXPECT_LT(yardstick.measure(fit).error_relative, 1e-10);
}

// Calm within a half is not calm: half of the nodes are missing, and then what they say is news.
TEST(GossipPca, ANodeThatMissesOthersHasNotSettled) {
  const Samples samples = low_rank_samples(260, 6, 800, 1);
  Options options = plain_options(6, 400);
  options.tol = 1e-4;
  SimOptions network;
  network.partitions.push_back({.first = 0, .last = 9, .from = Duration(0), .to = seconds(100)});
  network.crashes.push_back({.node = 15, .at = milliseconds(3000)});
  const Fit fit = simulate(dealt(samples, 20), options, network);
  for (const auto& node : fit.nodes) {
    if (!node) continue;
    EXPECT_EQ(node->participants, 10);
    EXPECT_GE(node->counts.sent, 400u) << "nobody stops while somebody is missing";
    EXPECT_FALSE(node->refined);
  }
}

TEST(GossipPca, SendsAsManyMessagesAsTheNetworkNeeds) {
  Options options;
  EXPECT_GE(enough_messages(options, 20, 1), 60);
  EXPECT_LT(enough_messages(options, 20, 1), enough_messages(options, 100, 0.5));
  EXPECT_LE(enough_messages(options, 100, 1e-4), 240);
  options.tol = 1e-8;
  EXPECT_GT(enough_messages(options, 20, 1), 100);
}

TEST(GossipPca, CountsAJoinerAndForgetsNobody) {
  const Samples samples = low_rank_samples(20, 4, 300, 1);
  const Yardstick yardstick(samples, 4);
  SimOptions network;
  network.joins.push_back({.node = 5, .at = seconds(1)});  // the others have sent all their messages
  const Fit fit = simulate(dealt(samples, 10), plain_options(4, 60), network);
  EXPECT_EQ(fit.at(5).participants, 10);
  EXPECT_LT(yardstick.measure(fit).error[5], 1e-2);
  EXPECT_NEAR(yardstick.measure(fit).mass, 1, 1e-12);
}

TEST(GossipPca, GoesOnWithoutNodesThatCrash) {
  const Samples samples = spread_samples(20, 2000, 1);
  const Yardstick yardstick(samples, 3);
  SimOptions network;
  network.loss = 0.1;
  network.crashes = {{.node = 2, .at = milliseconds(100)}, {.node = 6, .at = milliseconds(150)}};
  const Fit fit = simulate(dealt(samples, 20), plain_options(3, 60), network);
  EXPECT_EQ(fit.report.crashed, (std::vector<NodeId>{2, 6}));
  const Quality quality = yardstick.measure(fit);
  EXPECT_TRUE(std::isnan(quality.error[2]));
  EXPECT_LT(quality.excess_error, 0.05);
}

TEST(GossipPca, ANodeThatNeverCameIsNotCounted) {
  const Samples samples = spread_samples(10, 500, 1);
  SimOptions network;
  network.crashes = {{.node = 4, .at = Duration(0)}};
  const Fit fit = simulate(dealt(samples, 10), plain_options(3, 60), network);
  EXPECT_EQ(fit.at(0).participants, 9);
  EXPECT_EQ(fit.at(0).samples, 450);
}

TEST(GossipPca, ANodeWithoutSamplesLearnsFromTheOthers) {
  const Samples samples = low_rank_samples(20, 4, 300, 1);
  std::vector<Samples> shards = dealt(samples, 9);
  shards.emplace_back(20, 0);
  const Yardstick yardstick(samples, 4);
  const Fit fit = simulate(shards, plain_options(4, 60));
  EXPECT_LT(yardstick.measure(fit).error_relative, 1e-8);
  EXPECT_EQ(fit.at(9).samples, 300);
}

TEST(GossipPca, WarnsWhereNodesSeeDifferentThings) {
  Samples samples = spread_samples(20, 400, 1);
  for (Index n = 0; n < 400; ++n) samples(n / 40, n) += 5;  // every node has a mean of its own
  const Fit fit = simulate(dealt(samples, 10), plain_options(3, 40));
  ASSERT_EQ(fit.at(0).notes.size(), 1u);
  EXPECT_NE(fit.at(0).notes[0].find("carry 8"), std::string::npos);
  EXPECT_GT(fit.at(0).between_node_variance, 0.3);
  const Fit alike = simulate(dealt(spread_samples(20, 400, 1), 10), plain_options(3, 40));
  EXPECT_TRUE(alike.at(0).notes.empty());
}

TEST(GossipPca, KeepsAsManyComponentsAsExplainAShareOfTheVariance) {
  const Samples samples = spread_samples(20, 2000, 1);
  const Yardstick yardstick(samples, 20);
  Options options = plain_options(0, 60);
  options.n_components = {.count = 0, .fraction = 0.6, .max_count = 15};
  const Fit fit = simulate(dealt(samples, 10), options);
  const Vector& l = yardstick.eigenvalues();
  const Index q = fit.at(0).variances.size();
  EXPECT_GE(l.head(q).sum(), 0.6 * l.sum());
  EXPECT_LT(l.head(q - 1).sum(), 0.6 * l.sum());
  options.n_components.max_count = 2;
  testing::expect_error(ErrorCategory::InvalidArgument,
                        {"2 components explain 0.4", "less than the 0.6 requested"},
                        [&] { simulate(dealt(samples, 10), options); });
}

TEST(GossipPca, SaysWhenThereAreFewerComponentsThanAskedFor) {
  const Fit fit = simulate(dealt(low_rank_samples(20, 3, 100, 1), 4), plain_options(5, 40));
  EXPECT_EQ(fit.at(0).variances.size(), 3);
  ASSERT_EQ(fit.at(0).notes.size(), 1u);
  EXPECT_NE(fit.at(0).notes[0].find("only 3 components"), std::string::npos);
}

TEST(GossipPca, ASingleSampleIsCalledWhatItIs) {
  std::vector<Samples> shards = dealt(spread_samples(6, 90, 1), 5);
  EXPECT_EQ(simulate(shards, plain_options(2, 20)).report.ledger.total(Kind::raw_samples).bytes, 0u);
  shards[2] = shards[2].leftCols(1).eval();
  EXPECT_GT(simulate(shards, plain_options(2, 20)).report.ledger.total(Kind::raw_samples).bytes, 0u);
}

TEST(GossipPca, RefusesShardsOfOtherWidthNamingTheSender) {
  std::vector<Samples> shards = dealt(spread_samples(6, 60, 1), 4);
  shards[1] = spread_samples(7, 15, 2);
  testing::expect_error(ErrorCategory::BadData, {"dimensions", "features"},
                        [&] { simulate(shards, plain_options(2, 20)); });
}

TEST(GossipPca, ZscoreIsThatOfAllSamplesOverALossyNetwork) {
  const Samples samples = spread_samples(10, 500, 1);
  Options options = plain_options(3, 60);
  options.preprocessing.standardize = Standardize::zscore;
  SimOptions network;
  network.loss = 0.2;
  const Fit fit = simulate(dealt(samples, 8), options, network, "ring:4");
  const Preprocessing central = fit_zscore(1, feature_moments(samples));
  EXPECT_LT((fit.at(3).preprocessing.mean - central.mean).norm(), 1e-12);
  EXPECT_LT((fit.at(3).preprocessing.scale - central.scale).norm(), 1e-12);
  Samples scaled = samples;
  central.apply(scaled);
  EXPECT_LT(Yardstick(scaled, 3).measure(fit).excess_error, 0.05);
}

TEST(GossipPca, IsTheSameForTheSameSeed) {
  const std::vector<Samples> shards = dealt(spread_samples(10, 300, 1), 8);
  SimOptions network;
  network.loss = 0.2;
  const Fit first = simulate(shards, plain_options(3, 20), network, "ring:4", 5);
  const Fit again = simulate(shards, plain_options(3, 20), network, "ring:4", 5);
  const Fit other = simulate(shards, plain_options(3, 20), network, "ring:4", 6);
  EXPECT_EQ(first.at(3).directions, again.at(3).directions);
  EXPECT_EQ(first.report.ledger, again.report.ledger);
  EXPECT_NE(first.at(3).directions, other.at(3).directions);
}

// Kernel PCA on shared features against kernel PCA of the same samples in one place.
TEST(GossipPca, KernelFormOnSharedFeatures) {
  const Samples samples = spread_samples(5, 400, 1);
  for (const FeatureKind kind : {FeatureKind::landmarks, FeatureKind::random_features}) {
    const Options options =
        kernel_options(3, 60, {.kind = kind, .gamma = "0.2", .landmarks = 100, .random_features = 1000});
    SimOptions network;
    network.loss = 0.1;
    const Fit fit = simulate(dealt(samples, 8), options, network, "ring:4");
    central_kpca::Options central;
    central.kernel = options.kernel;
    central.kernel.gamma = 0.2;
    central.n_components.count = 3;
    const central_kpca::Fit truth = fit_central_kpca(samples, central);
    const Matrix psi = fit.at(2).map->features(samples);
    const Matrix scores = (psi.colwise() - fit.at(2).mean).transpose() * fit.at(2).directions;
    EXPECT_LT(subspace_error(scores, truth.scores), 0.05) << to_string(kind);
    const auto& ledger = fit.report.ledger;
    EXPECT_EQ(ledger.total(Kind::raw_samples).bytes, 0u);
    EXPECT_EQ(ledger.total(Kind::centroids).bytes > 0, kind == FeatureKind::landmarks);
  }
}

}  // namespace
}  // namespace choir::gossip_pca
