#include "choir/learn/gossip_pca/reading.h"

#include "learn/gossip_pca/toy.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/linalg/eigen.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir::gossip_pca {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Refined refined_toy() {
  Refined refined;
  refined.mean = Vector::Constant(4, 0.5);
  refined.directions = -Matrix::Identity(4, 3);
  refined.values = Eigen::Vector4d(5, 2, 1, 0.5);
  refined.residuals = Vector::Zero(4);
  refined.samples = 80;
  refined.total_variance = 10;
  refined.between_nodes = 0.25;
  refined.growth = 1e-6;
  refined.steps = 3;
  refined.converged = true;
  return refined;
}

NodeResult read(const Refined& refined, const Options& options) {
  NodeResult result;
  read_refined(refined, options, result);
  return result;
}

TEST(Reading, ARefinedAnswerReplacesWhatGossipFound) {
  const NodeResult result = read(refined_toy(), plain_options(2, 10));
  EXPECT_TRUE(result.refined);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.refinement_steps, 3);
  EXPECT_EQ(result.change, 1e-6);
  EXPECT_EQ(result.gap, 0);
  EXPECT_EQ(result.samples, 80);
  EXPECT_EQ(result.total_weight, 80);
  EXPECT_EQ(result.between_node_variance, 0.25);
  EXPECT_THAT(result.variances, ElementsAre(5, 2));
  EXPECT_EQ(result.directions, Matrix::Identity(4, 2)) << "the sign rule";
  ASSERT_TRUE(result.assessment);
  EXPECT_THAT(result.assessment->claimed_similarity, ElementsAre(1, 1));
  EXPECT_EQ(result.assessment->total_variance, 10);
  EXPECT_TRUE(result.assessment->good());
}

TEST(Reading, AShareOfTheVarianceDecidesHowManyAreKept) {
  Options options = plain_options(0, 10);
  options.n_components = {.count = 0, .fraction = 0.6, .max_count = 3};
  EXPECT_EQ(read(refined_toy(), options).variances.size(), 2);
  options.n_components.fraction = 0.75;
  EXPECT_EQ(read(refined_toy(), options).variances.size(), 3);
  NodeResult short_of_it = read(refined_toy(), options);
  options.n_components.fraction = 0.9;
  expect_error(ErrorCategory::InvalidArgument,
               {"3 components explain 0.800", "0.9 requested", "raise max_components"},
               [&] { check_answer(options, short_of_it); });
}

TEST(Reading, WeakClaimsSayWhatHelps) {
  Refined refined = refined_toy();
  refined.residuals.setConstant(0.4);
  const NodeResult linear = read(refined, plain_options(3, 10));
  ASSERT_THAT(linear.assessment->weaknesses, SizeIs(1));
  EXPECT_THAT(linear.assessment->weaknesses[0], HasSubstr("raise --carry, which is 8"));

  Options kernel = kernel_options(
      2, 10, {.kind = FeatureKind::landmarks, .gamma = "0.2", .landmarks = 30, .random_features = 1});
  refined.claims = Eigen::Vector2d(0.99, 0.5);
  const NodeResult features = read(refined, kernel);
  EXPECT_THAT(features.assessment->claimed_similarity, ElementsAre(0.99, 0.5));
  ASSERT_THAT(features.assessment->weaknesses, SizeIs(1));
  EXPECT_THAT(features.assessment->weaknesses[0], HasSubstr("raise --n-landmarks above 30"));
}

TEST(Reading, AnUnrefinedAnswerOfAKernelHasNotConverged) {
  NodeResult linear;
  linear.converged = true;
  read_unrefined(plain_options(2, 10), linear);
  EXPECT_TRUE(linear.torn);
  EXPECT_TRUE(linear.converged) << "gossip itself may have";
  EXPECT_THAT(linear.notes, SizeIs(1));

  NodeResult kernel;
  kernel.converged = true;
  read_unrefined(kernel_options(2, 10, {.gamma = "1", .landmarks = 30}), kernel);
  EXPECT_FALSE(kernel.converged);
  ASSERT_THAT(kernel.notes, SizeIs(2));
  EXPECT_THAT(kernel.notes[1], HasSubstr("nothing is claimed"));
}

// A kernel so narrow that a handful of random features says nothing about it.
TEST(Reading, ANodeAloneDoubtsFeaturesThatAreBad) {
  const Samples samples = spread_samples(4, 60, 1);
  for (const Index count : {4000, 4}) {
    const Kernel rbf{.kind = KernelKind::rbf, .gamma = 0.2};
    const KernelForm form{.map = {.kernel = rbf, .random = RandomFeaturesOptions{.count = count, .seed = 1}},
                          .samples = Array(samples)};
    NodeResult result;
    result.converged = true;
    result.variances = Vector::Constant(1, 0.1);
    Options options;
    options.kernel = rbf;
    options.features = FeatureKind::random_features;
    options.n_features = count;
    doubt_features(form, form.map.features(samples), options, result);
    EXPECT_THAT(result.notes, ElementsAre(HasSubstr("nothing is claimed"))) << count;
    EXPECT_EQ(result.assessment.has_value(), count == 4) << "that is weak, a note would not do";
    if (!result.assessment) continue;
    EXPECT_THAT(result.assessment->weaknesses, ElementsAre(HasSubstr("raise --n-features above 4")));
    EXPECT_THAT(result.assessment->claimed_similarity, SizeIs(0));
  }
}

TEST(Reading, FewerComponentsThanAskedForAreNoted) {
  Refined refined = refined_toy();
  refined.values = Eigen::Vector4d(5, 2, 0, 0);
  const Options options = plain_options(3, 10);
  NodeResult result = read(refined, options);
  check_answer(options, result);
  ASSERT_THAT(result.notes, SizeIs(1));
  EXPECT_THAT(result.notes[0], HasSubstr("only 2 components"));
}

TEST(Reading, SkewIsNotedOnlyWhereMergesMayHaveLostIt) {
  const Options options = plain_options(3, 10);
  NodeResult result;
  result.variances = Eigen::Vector3d(3, 2, 1);
  result.total_variance = 10;
  result.total_weight = 100;
  result.participants = 5;
  result.between_node_variance = 0.5;  // chance: 0.05
  NodeResult refined = result;
  check_answer(options, result);
  ASSERT_THAT(result.notes, SizeIs(1));
  EXPECT_THAT(result.notes[0], HasSubstr("carry 8 may lose some of it, 12 is safe"));
  refined.refined = true;
  check_answer(options, refined);
  EXPECT_THAT(refined.notes, IsEmpty());
}

TEST(Reading, LoadingsOfAllCoordinatesAreOrthonormal) {
  const Samples rows = spread_samples(6, 40, 1);
  const Vector mean = rows.rowwise().mean();
  const Matrix centred = rows.colwise() - mean;
  const EigenPairs pairs = eigen_symmetric<double>(centred.transpose() * centred);
  NodeResult result;
  result.directions = pairs.vectors.leftCols(3);
  result.total_weight = 6;
  result.variances = pairs.values.head(3) / 6;
  const Matrix loadings = loadings_of(map_of(rows), mean, result);
  EXPECT_LT((loadings.transpose() * loadings - Matrix::Identity(3, 3)).norm(), 1e-9);
}

TEST(Reading, AnEstimateSaysWhatItHoldsAndHowFarItIs) {
  const Samples samples = spread_samples(5, 80, 1);
  const Options options = plain_options(2, 10);
  SimEngine engine;
  const Contract contract{.method = "reading",
                          .kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
  const auto outcome = run_nodes<NodeResult>(
      engine, make_topology("complete", 2, 0), contract, {}, [&](Node& node) -> Task<NodeResult> {
        const SummaryRule rule = rule_of(options);
        const Circumstances circumstances;
        const Estimate estimate(node, summary_of_samples(samples, rule), rule, options, circumstances, {});
        NodeResult result;
        read_estimate(estimate, options, result);
        co_return result;
      });
  const NodeResult& result = *outcome.results[0];
  EXPECT_EQ(result.participants, 1);
  EXPECT_EQ(result.samples, 80);
  EXPECT_EQ(result.weight, 80);
  EXPECT_FALSE(result.converged);
  EXPECT_FALSE(result.refined);
  EXPECT_LT((result.mean - samples.rowwise().mean()).norm(), 1e-12);
  const Matrix centred = samples.colwise() - samples.rowwise().mean();
  const Vector truth = eigen_symmetric<double>(centred * centred.transpose() / 80).values.head(2);
  EXPECT_LT((result.variances - truth).norm(), 1e-9);
  EXPECT_NEAR(result.total_variance, centred.squaredNorm() / 80, 1e-9);
}

}  // namespace
}  // namespace choir::gossip_pca
