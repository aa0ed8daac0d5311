#include "choir/model/linear_part.h"

#include "model/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

using ::testing::HasSubstr;

Matrix sum_of_contributions(const std::vector<LinearPart>& parts, const Samples& samples, int threads = 1) {
  Matrix sum = Matrix::Zero(samples.cols(), parts.front().components() + 1);
  for (const LinearPart& part : parts) sum += part.contribution(rows_of(samples, part.columns), threads);
  return sum;
}

TEST(LinearPart, PartsTogetherAnswerAsTheWhole) {
  const Samples samples = normal_samples(7, 40, 1), fresh = 3 * normal_samples(7, 12, 2);
  const LinearModel whole = fit_pca(samples, 3);
  const auto parts = cut_into_parts(whole, {{0, 3, 4}, {1}, {2, 5, 6}});
  const PartedAnswer answer = answer_of(sum_of_contributions(parts, fresh));
  EXPECT_LT(largest(answer.scores - whole.transform(fresh)), 1e-12);
  EXPECT_LT(largest(answer.errors - whole.score(fresh)), 1e-12);
}

TEST(LinearPart, EveryPartPreprocessesItsOwnCoordinates) {
  const Samples samples = 50 * normal_samples(5, 40, 3), fresh = 50 * normal_samples(5, 8, 4);
  const Preprocessing zscore = fit_zscore(10, feature_moments(samples));
  Samples prepared = samples;
  zscore.apply(prepared);
  LinearModel whole = fit_pca(prepared, 2);
  whole.preprocessing = zscore;
  const auto parts = cut_into_parts(whole, {{4}, {0, 1, 2, 3}});
  EXPECT_LT(largest(answer_of(sum_of_contributions(parts, fresh)).scores - whole.transform(fresh)), 1e-12);
}

// What is left over is a difference here; a sample in the span must not get an error below zero.
TEST(LinearPart, ErrorsAreNeverNegative) {
  const Samples samples = 1e3 * normal_samples(6, 40, 5);
  const LinearModel whole = fit_pca(samples, 6);
  const auto parts = cut_into_parts(whole, {{0, 1, 2}, {3, 4, 5}});
  const Matrix sum = sum_of_contributions(parts, samples);
  EXPECT_LT((sum.col(6) - sum.leftCols(6).rowwise().squaredNorm()).minCoeff(), 0);
  EXPECT_GE(answer_of(sum).errors.minCoeff(), 0);
}

TEST(LinearPart, BitsDoNotDependOnThreads) {
  const Samples samples = normal_samples(5, 9000, 6);
  const auto parts = cut_into_parts(fit_pca(samples, 2), {{0, 2}, {1, 3, 4}});
  EXPECT_EQ(sum_of_contributions(parts, samples, 1), sum_of_contributions(parts, samples, 3));
}

TEST(LinearPart, ExplainsTheVarianceOfTheWhole) {
  const LinearModel whole = fit_pca(normal_samples(4, 50, 7), 2);
  const LinearPart part = cut_into_parts(whole, {{0, 1}, {2, 3}})[1];
  EXPECT_EQ(part.explained_variance_ratio(), whole.explained_variance_ratio());
  EXPECT_EQ(part.explained_variance(), whole.explained_variance());
}

TEST(LinearPart, RefusesWhatDoesNotFit) {
  const LinearPart part = cut_into_parts(fit_pca(normal_samples(4, 50, 8), 2), {{0, 1, 2}, {3}})[0];
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [&] { part.contribution(Samples::Zero(4, 2)); }),
              HasSubstr("the samples have 4 features but the model was fitted on 3"));
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [] { answer_of(Matrix::Zero(5, 1)); }),
              HasSubstr("contributions have 1 columns"));
}

}  // namespace
}  // namespace choir
