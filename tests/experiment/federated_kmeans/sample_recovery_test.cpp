#include "choir/experiment/federated_kmeans/sample_recovery.h"

#include <cmath>

#include <gtest/gtest.h>

#include "choir/base/rng.h"

namespace choir {
namespace {

struct Problem {
  CosineFeatures features = CosineFeatures::draw(3, 40, 0.1, 1);
  Samples samples;
  Matrix gram;
};

Problem problem_of(Index count) {
  Problem problem;
  Rng rng(2, Purpose("recovery-test"));
  problem.samples = Samples::NullaryExpr(3, count, [&] { return rng.normal(); });
  const Matrix values = problem.features.of(problem.samples);
  problem.gram = values * values.transpose();
  return problem;
}

// E a(x)'a(y) / D = exp(-gamma |x - y|^2)
TEST(CosineFeatures, HaveTheKernelAsTheirMean) {
  const CosineFeatures features = CosineFeatures::draw(3, 200000, 0.1, 5);
  const Samples samples = problem_of(2).samples;
  const Matrix values = features.of(samples);
  const double distance = (samples.col(0) - samples.col(1)).squaredNorm();
  EXPECT_NEAR(values.col(0).dot(values.col(1)) / 200000, std::exp(-0.1 * distance), 0.01);
}

TEST(Recovery, FindsAllOfAFewSamples) {
  const Problem problem = problem_of(10);
  const Recovery found = recover_samples(problem.features, problem.gram, 10, {.seed = 3});
  const RecoveredShare right = compare_with_truth(found.samples, problem.samples);
  EXPECT_EQ(right.share, 1);
  EXPECT_LT(right.worst_error, 1e-4);
}

TEST(Recovery, FindsNothingInOtherMatricesOrIfAllFits) {
  const Problem problem = problem_of(10);
  Rng rng(4, Purpose("recovery-test"));
  const Matrix noise = Matrix::NullaryExpr(40, 40, [&] { return rng.normal(); });
  const Recovery found = recover_samples(problem.features, noise, 10, {.starts = 300});
  EXPECT_EQ(found.samples.cols(), 0);
  EXPECT_GT(found.smallest_residual, 1e-3);
  const Recovery not_begun = recover_samples(problem.features, problem.gram, 40, {});
  EXPECT_EQ(not_begun.samples.cols(), 0);
  EXPECT_TRUE(std::isnan(not_begun.smallest_residual));
}

TEST(Recovery, IsJudgedByTheTruth) {
  Samples truth(1, 4);
  truth << 1, 2, 3, 4;
  Samples found(1, 3);
  found << 2.0001, 7, 4;
  const RecoveredShare right = compare_with_truth(found, truth);
  EXPECT_EQ(right.share, 0.5);
  EXPECT_NEAR(right.worst_error, 1e-4, 1e-12);
  EXPECT_TRUE(std::isnan(compare_with_truth(Samples(1, 0), truth).worst_error));
}

}  // namespace
}  // namespace choir
