// The refined answer against PCA of all samples in one place, and what becomes of it when nodes are missing.
#include "choir/learn/gossip_pca/refinement.h"

#include <cmath>

#include "learn/gossip_pca/toy.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/learn/gossip_pca/quality.h"
#include "choir/metrics/subspace.h"

namespace choir::gossip_pca {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

Options settled_options(Index components) {
  Options options = plain_options(components, 60);
  options.messages_per_node.reset();
  options.tol = 1e-4;
  return options;
}

// A few directions that stand out of noise which no node can tell from them: 20 samples of 250 dimensions.
Samples spiked_samples(Index dimension, Index count) {
  Samples samples = spread_samples(dimension, count, 3);
  for (Index k = 0; k < dimension; ++k) samples.row(k) *= std::sqrt(static_cast<double>(k + 1));
  for (Index k = 0; k < 4; ++k) samples.row(k) *= 3 - 0.4 * static_cast<double>(k);
  return samples;
}

void expect_exact(const Fit& fit, const Yardstick& yardstick, double tol) {
  for (const auto& node : fit.nodes) {
    EXPECT_TRUE(node->refined);
    EXPECT_TRUE(node->converged);
    EXPECT_EQ(node->directions, fit.at(0).directions) << "the same bits everywhere";
    const Index q = node->variances.size();
    const Vector truth = yardstick.eigenvalues().head(q);
    EXPECT_LT(((node->variances - truth).array() / truth.array()).abs().maxCoeff(), tol);
    EXPECT_LT((node->mean - yardstick.mean()).norm(), 1e-9 * (1 + yardstick.mean().norm()));
    EXPECT_NEAR(node->total_variance, yardstick.covariance().trace(), 1e-9 * node->total_variance);
    ASSERT_TRUE(node->assessment);
    ASSERT_EQ(node->assessment->claimed_similarity.size(), q);
  }
}

TEST(Refinement, IsExactWhereTheWholeCovarianceIsNoMoreThanTheSteps) {
  const Samples samples = spread_samples(20, 300, 1);
  const Fit fit = simulate(dealt(samples, 10), settled_options(3));
  expect_exact(fit, Yardstick(samples, 3), 1e-12);
  EXPECT_EQ(fit.at(0).refinement_steps, 1);
  EXPECT_EQ(fit.at(0).samples, 300);
}

TEST(Refinement, FindsWhatTruncatedMergesLose) {
  const Samples samples = spiked_samples(250, 2000);
  const Yardstick yardstick(samples, 4);
  Options options = settled_options(4);
  const Fit refined = simulate(dealt(samples, 100), options, {}, "ring:10");
  expect_exact(refined, yardstick, 1e-3);
  EXPECT_GT(refined.at(0).refinement_steps, 1);
  EXPECT_GT(refined.at(0).assessment->claimed_similarity.minCoeff(), 0.9);
  EXPECT_GE(smallest_cosine(refined.at(0).directions, yardstick.directions()) + 1e-6,
            refined.at(0).assessment->claimed_similarity.minCoeff());
  options.tol = 0;
  const Fit gossip_alone = simulate(dealt(samples, 100), options, {}, "ring:10");
  EXPECT_FALSE(gossip_alone.at(0).refined);
  const Vector truth = yardstick.eigenvalues().head(4);
  EXPECT_GT(((gossip_alone.at(0).variances - truth).array() / truth.array()).abs().maxCoeff(), 0.05);
}

TEST(Refinement, OfATreeOfAnyMergeIsExactToo) {
  const Samples samples = spread_samples(20, 300, 1);
  const Samples wide = spiked_samples(120, 600);
  for (const MergeRule merge : {MergeRule::gram, MergeRule::orthogonal_iterations, MergeRule::late}) {
    Options options = settled_options(3);
    options.merge = merge;
    expect_exact(simulate(dealt(samples, 6), options, {}, "line"), Yardstick(samples, 3), 1e-9);
    options.schedule = Schedule::tree;
    expect_exact(simulate(dealt(samples, 6), options, {}, "line"), Yardstick(samples, 3), 1e-9);
    expect_exact(simulate(dealt(wide, 6), options, {}, "line"), Yardstick(wide, 3), 1e-3);
  }
}

TEST(Refinement, OfCoordinatesMakesTheirLoadingsOrthonormal) {
  const Samples samples = spread_samples(40, 30, 1);
  Options options = settled_options(4);
  options.partition = Division::coordinates;
  const Fit fit = simulate(dealt_rows(samples, 8), options);
  Matrix all(40, 4);
  for (const auto& node : fit.nodes) all.middleRows(5 * node->node, 5) = node->loadings;
  EXPECT_LT((all.transpose() * all - Matrix::Identity(4, 4)).norm(), 1e-9);
  EXPECT_LT(subspace_error(all, Yardstick(samples, 4).directions()), 1e-9);
}

TEST(Refinement, OfAKernelClaimsNoSimilarity) {
  Options options = kernel_options(
      3, 60, {.kind = FeatureKind::landmarks, .gamma = "0.2", .landmarks = 30, .random_features = 1});
  options.tol = 1e-4;
  const Fit fit = simulate(dealt(spread_samples(5, 200, 1), 4), options);
  ASSERT_TRUE(fit.at(0).assessment);
  EXPECT_EQ(fit.at(0).assessment->captured_variance, fit.at(0).variances);
  EXPECT_EQ(fit.at(0).assessment->claimed_similarity.size(), 0);
}

TEST(Refinement, SurvivesWhatOnlyDelays) {
  const Samples samples = spread_samples(12, 300, 1);
  SimOptions network;
  network.loss = 0.3;
  network.partitions.push_back({.first = 0, .last = 4, .from = milliseconds(100), .to = seconds(4)});
  const Fit fit = simulate(dealt(samples, 10), settled_options(3), network, "complete", 2);
  expect_exact(fit, Yardstick(samples, 3), 1e-12);
}

void expect_unrefined(const Fit& fit) {
  for (const auto& node : fit.nodes) {
    if (!node) continue;
    EXPECT_FALSE(node->refined);
    EXPECT_TRUE(node->torn);
    EXPECT_FALSE(node->assessment);
    ASSERT_FALSE(node->notes.empty());
    EXPECT_THAT(node->notes.back(), HasSubstr("could not be refined"));
  }
}

TEST(Refinement, IsLeftOutIfANodeDied) {
  SimOptions network;
  network.crashes.push_back({.node = 7, .at = milliseconds(200)});
  const Fit fit = simulate(dealt(spread_samples(12, 300, 1), 10), settled_options(3), network);
  expect_unrefined(fit);
  EXPECT_LT(fit.report.elapsed, seconds(60));
}

TEST(Refinement, IsLeftOutByBothHalvesOfATornNetwork) {
  SimOptions network;
  network.partitions.push_back({.first = 0, .last = 4, .from = milliseconds(100), .to = seconds(1000)});
  const Fit fit = simulate(dealt(spread_samples(12, 300, 1), 10), settled_options(3), network);
  expect_unrefined(fit);
}

// The root dies, or a node in the middle of a line, at any moment: all others end, and none has an answer
// that is refined by halves.
TEST(Refinement, EndsWhoeverDiesWhenever) {
  const Samples samples = spiked_samples(80, 240);
  for (Index moment = 0; moment < 24; ++moment) {
    SimOptions network;
    const auto dead = static_cast<NodeId>(moment % 2 == 0 ? 0 : 3);
    network.crashes.push_back({.node = dead, .at = milliseconds(600 + 40 * moment)});
    const Fit fit =
        simulate(dealt(samples, 6), settled_options(3), network, moment % 3 == 0 ? "line" : "complete");
    for (const auto& node : fit.nodes) {
      if (node) EXPECT_TRUE(node->refined || node->torn) << moment;
      if (node && node->refined) EXPECT_TRUE(node->converged) << moment;
    }
    EXPECT_LT(fit.report.elapsed, seconds(300)) << moment;
  }
}

TEST(Refinement, CallsTheSumsOfASingleSampleWhatTheyAre) {
  std::vector<Samples> shards = dealt(spread_samples(6, 90, 1), 5);
  shards[2] = shards[2].leftCols(1).eval();
  Options options = settled_options(2);
  options.schedule = Schedule::tree;
  EXPECT_GT(simulate(shards, options).report.ledger.total(Kind::raw_samples).bytes, 0u);
}

// Twelve directions of equal variance: no basis of them is better than another, and all of it is known.
TEST(Refinement, ClaimsTheGroupWhereVariancesAreEqual) {
  Samples samples = Samples::Zero(12, 240);
  for (Index n = 0; n < 240; ++n) samples((n / 2) % 12, n) = n % 2 == 0 ? 1 : -1;
  const Fit fit = simulate(dealt(samples, 6), settled_options(3));
  const Assessment& assessment = *fit.at(0).assessment;
  EXPECT_TRUE(assessment.good());
  EXPECT_GT(assessment.claimed_similarity.minCoeff(), 0.999);
  ASSERT_EQ(assessment.unseparated.size(), 1u);
  EXPECT_EQ(assessment.unseparated[0].last, 11);
}

TEST(Refinement, HasFewerSamplesThanColumns) {
  const Samples samples = spiked_samples(100, 6);
  const Fit fit = simulate(dealt(samples, 2), settled_options(3));
  expect_exact(fit, Yardstick(samples, 3), 1e-9);
}

}  // namespace
}  // namespace choir::gossip_pca
