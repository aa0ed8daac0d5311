// The refined answer against PCA of all samples in one place, and what becomes of it when nodes are missing.
#include "choir/learn/gossip_pca/refinement.h"

#include <cmath>

#include "learn/gossip_pca/toy.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/learn/central/kernel_pca.h"
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
  for (const auto& node : fit.nodes) EXPECT_EQ(node->counts.sent, 0u) << "nothing is left to gossip about";
}

// The triangle once up the tree, a question and an answer down: gossip would send ten times as much.
TEST(Refinement, SendsNoMoreThanTheSumOfTheCovariances) {
  const Fit fit = simulate(dealt(spread_samples(20, 300, 1), 10), settled_options(3));
  const auto triangle = static_cast<double>(triangle_size(20) * 8);
  EXPECT_LT(static_cast<double>(fit.report.ledger.total().bytes) / 10, 3 * triangle);
}

// Node 0 has nothing, so its origin is zero, and the data lie far from there.
TEST(Refinement, SumsOnceMoreWhereTheOriginWasFarFromTheData) {
  Samples samples = spread_samples(6, 90, 1);
  const Yardstick near(samples, 2);
  samples.array() += 1e7;
  std::vector<Samples> shards = dealt(samples, 3);
  shards.insert(shards.begin(), Samples(6, 0));
  const Fit fit = simulate(shards, settled_options(2));
  const Vector truth = near.eigenvalues().head(2);
  EXPECT_LT(((fit.at(1).variances - truth).array() / truth.array()).abs().maxCoeff(), 1e-6);
}

TEST(Refinement, KnowsTheVarianceBetweenTheNodes) {
  Samples samples = spread_samples(20, 400, 1);
  for (Index n = 0; n < 400; ++n) samples(n / 40, n) += 5;  // every node has a mean of its own
  const Fit fit = simulate(dealt(samples, 10), settled_options(3));
  double within = 0;
  for (const Samples& shard : dealt(samples, 10))
    within += (shard.colwise() - shard.rowwise().mean()).squaredNorm();
  const double all = (samples.colwise() - samples.rowwise().mean()).squaredNorm();
  EXPECT_NEAR(fit.at(4).between_node_variance, 1 - within / all, 1e-9);
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

// Scores of kernel PCA in one place, and those of a node's answer: the smallest cosine between them.
double true_similarity(const Fit& fit, const Samples& samples) {
  const NodeResult& node = fit.at(1);
  central_kpca::Options options{.kernel = node.map->kernel};
  options.n_components.count = node.variances.size();
  const Matrix psi = node.map->features(samples);
  const Matrix scores = (psi.colwise() - node.mean).transpose() * node.directions;
  const Matrix truth = fit_central_kpca(samples, options).scores;
  double least = 1;
  for (Index d = 0; d < truth.cols(); ++d)
    least = std::min(least, std::abs(scores.col(d).normalized().dot(truth.col(d).normalized())));
  return least;
}

Options kernel_form(FeatureKind kind, Index count) {
  Options options =
      kernel_options(3, 60, {.kind = kind, .gamma = "0.05", .landmarks = count, .random_features = count});
  options.tol = 1e-4;
  return options;
}

TEST(Refinement, OfAKernelClaimsWhatIsTrue) {
  const Samples samples = spread_samples(5, 300, 1);
  for (const FeatureKind kind : {FeatureKind::landmarks, FeatureKind::random_features}) {
    const Index enough = kind == FeatureKind::landmarks ? 60 : 3000;
    const Fit good = simulate(dealt(samples, 5), kernel_form(kind, enough));
    ASSERT_TRUE(good.at(0).assessment);
    EXPECT_EQ(good.at(0).assessment->captured_variance, good.at(0).variances);
    EXPECT_TRUE(good.at(0).assessment->good()) << to_string(kind);
    EXPECT_TRUE(good.at(0).converged);
    EXPECT_LE(good.at(0).assessment->claimed_similarity.minCoeff(), true_similarity(good, samples) + 0.02);
    EXPECT_EQ(good.at(4).assessment->claimed_similarity, good.at(0).assessment->claimed_similarity);
    const Fit bad = simulate(dealt(samples, 5), kernel_form(kind, 4));
    EXPECT_FALSE(bad.at(0).assessment->good()) << to_string(kind);
    EXPECT_LT(true_similarity(bad, samples), 0.9);
  }
}

// Landmarks know what they miss: explained variance is that of the kernel, not of the features.
TEST(Refinement, OfAKernelMeasuresTheWholeVariance) {
  const Samples samples = spread_samples(5, 300, 1);
  const Fit fit = simulate(dealt(samples, 5), kernel_form(FeatureKind::landmarks, 10));
  central_kpca::Options options{.kernel = fit.at(0).map->kernel};
  options.n_components.count = 3;
  const double truth = fit_central_kpca(samples, options).model.trace / 300;
  EXPECT_NEAR(fit.at(0).total_variance, truth, 0.02 * truth);
}

TEST(Refinement, OfAKernelThatIsNoInnerProductSaysHowMuchIsLeftOut) {
  Options options = kernel_form(FeatureKind::landmarks, 30);
  options.kernel.kind = KernelKind::sigmoid;
  options.kernel.coef0 = -1;
  options.gamma.value = 2;
  const Fit fit = simulate(dealt(spread_samples(5, 1000, 1), 4), options);
  ASSERT_FALSE(fit.at(0).notes.empty());
  EXPECT_THAT(fit.at(0).notes[0], HasSubstr("negative eigenvalues are"));
  EXPECT_TRUE(fit.at(1).notes.empty()) << "the root says it for all";
  EXPECT_TRUE(fit.at(0).assessment->claimed_similarity.allFinite());
}

TEST(Refinement, SurvivesWhatOnlyDelays) {
  const Samples samples = spread_samples(12, 300, 1);
  for (const int end : {4, 20}) {  // the first sums wait for 10 s; after that there is gossip, and sums again
    SimOptions network;
    network.loss = 0.3;
    network.partitions.push_back({.first = 0, .last = 4, .from = Duration(0), .to = seconds(end)});
    const Fit fit = simulate(dealt(samples, 10), settled_options(3), network, "complete", 2);
    expect_exact(fit, Yardstick(samples, 3), 1e-12);
    EXPECT_EQ(fit.at(0).counts.sent == 0, end == 4);
  }
}

void expect_unrefined(const Fit& fit) {
  for (const auto& node : fit.nodes) {
    if (!node) continue;
    EXPECT_FALSE(node->refined);
    EXPECT_TRUE(node->torn);
    EXPECT_FALSE(node->assessment);
    ASSERT_FALSE(node->notes.empty());
    EXPECT_THAT(node->notes.front(), HasSubstr("could not be refined"));
  }
}

TEST(Refinement, IsLeftOutIfANodeDied) {
  SimOptions network;
  network.crashes.push_back({.node = 7, .at = milliseconds(1)});
  const Fit fit = simulate(dealt(spread_samples(12, 300, 1), 10), settled_options(3), network);
  expect_unrefined(fit);
  EXPECT_LT(fit.report.elapsed, seconds(60));
  for (const auto& node : fit.nodes) {
    if (node) EXPECT_EQ(node->participants, 9) << "those that live gossip";
  }
}

// In a line: the nodes behind the dead one are cut off from the root, and still gossip with each other.
TEST(Refinement, OrphansOfTheTreeComeToTheGossipInTime) {
  SimOptions network;
  network.crashes.push_back({.node = 2, .at = milliseconds(1)});
  const Fit fit = simulate(dealt(spread_samples(12, 300, 1), 10), settled_options(3), network, "ring:4");
  expect_unrefined(fit);
  for (const auto& node : fit.nodes) {
    if (node) EXPECT_EQ(node->participants, 9) << node->node << " sent " << node->counts.sent;
  }
}

TEST(Refinement, OfAKernelThatIsLeftOutHasNotConverged) {
  SimOptions network;
  network.partitions.push_back({.first = 0, .last = 1, .from = milliseconds(150), .to = seconds(1000)});
  const Fit fit =
      simulate(dealt(spread_samples(5, 300, 1), 5), kernel_form(FeatureKind::random_features, 300), network);
  for (const auto& node : fit.nodes) EXPECT_EQ(node->refined, fit.at(0).refined);
  SimOptions torn;
  torn.partitions.push_back({.first = 0, .last = 1, .from = Duration(0), .to = seconds(1000)});
  const Fit unknown =
      simulate(dealt(spread_samples(5, 300, 1), 5), kernel_form(FeatureKind::random_features, 300), torn);
  for (const auto& node : unknown.nodes) {
    EXPECT_FALSE(node->converged);
    EXPECT_FALSE(node->assessment);
    EXPECT_THAT(node->notes.back(), HasSubstr("nothing is claimed"));
  }
}

TEST(Refinement, IsLeftOutByBothHalvesOfATornNetwork) {
  SimOptions network;
  network.partitions.push_back({.first = 0, .last = 4, .from = Duration(0), .to = seconds(1000)});
  const Fit fit = simulate(dealt(spread_samples(12, 300, 1), 10), settled_options(3), network);
  expect_unrefined(fit);
}

// The root dies, or a node in the middle of a line, at any moment: all others end, and none has an answer
// that is refined by halves.
void expect_ends_whoever_dies(const Samples& samples, Duration first, Duration between) {
  for (Index moment = 0; moment < 24; ++moment) {
    SimOptions network;
    const auto dead = static_cast<NodeId>(moment % 2 == 0 ? 0 : 3);
    network.crashes.push_back({.node = dead, .at = first + moment * between});
    const Fit fit =
        simulate(dealt(samples, 6), settled_options(3), network, moment % 3 == 0 ? "line" : "complete");
    for (const auto& node : fit.nodes) {
      if (node) EXPECT_TRUE(node->refined || node->torn) << moment;
      if (node && node->refined) EXPECT_TRUE(node->converged) << moment;
    }
    EXPECT_LT(fit.report.elapsed, seconds(300)) << moment;
  }
}

TEST(Refinement, ByStepsEndsWhoeverDiesWhenever) {
  expect_ends_whoever_dies(spiked_samples(180, 240), milliseconds(600), milliseconds(40));
}

TEST(Refinement, AtOnceEndsWhoeverDiesWhenever) {
  expect_ends_whoever_dies(spiked_samples(40, 240), Duration(0), std::chrono::microseconds(500));
}

// The sums of a single sample are the sample: under masks nobody sees them.
TEST(Refinement, HidesTheSumsOfASingleSample) {
  std::vector<Samples> shards = dealt(spread_samples(6, 90, 1), 5);
  shards[2] = shards[2].leftCols(1).eval();
  Options options = settled_options(2);
  options.schedule = Schedule::tree;
  const Fit fit = simulate(shards, options);
  EXPECT_TRUE(fit.at(0).refined);
  for (const Kind kind : {Kind::raw_samples, Kind::own_statistics})
    EXPECT_EQ(fit.report.ledger.total(kind).bytes, 0u) << to_string(kind);
  EXPECT_GT(fit.report.ledger.total(Kind::masked).bytes, 0u);
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
