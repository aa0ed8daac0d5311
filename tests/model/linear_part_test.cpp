#include "choir/model/linear_part.h"

#include "model/support.h"
#include <Eigen/QR>
#include <gtest/gtest.h>

namespace choir {
namespace {

Matrix sum_of_contributions(const std::vector<LinearPart>& parts, const Samples& samples, int threads = 1) {
  const Index components = parts.front().components();
  Matrix sum = Matrix::Zero(samples.cols() + components, components + 1);
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

// What is left over is a difference here; a sample in the span must not get an error below zero, whichever
// way the processor rounds.
TEST(LinearPart, ErrorsAreNeverNegative) {
  const Samples samples = 1e3 * normal_samples(6, 40, 5);
  const LinearModel whole = fit_pca(samples, 6);
  const auto parts = cut_into_parts(whole, {{0, 1, 2}, {3, 4, 5}});
  Matrix sum = sum_of_contributions(parts, samples);
  EXPECT_GE(answer_of(sum).errors.minCoeff(), 0);
  sum.col(6).head(40) = (1 - 1e-12) * sum.leftCols(6).topRows(40).rowwise().squaredNorm();
  EXPECT_GE(answer_of(sum).errors.minCoeff(), 0);
}

// Samples in the span of the directions are known from the coordinates that are left.
TEST(LinearPart, PartsWithoutAPartDoWhatTheirCoordinatesAllow) {
  const LinearModel whole = fit_pca(normal_samples(7, 40, 9), 2);
  const Matrix truth = normal_samples(2, 5, 10).transpose();
  Samples fresh = whole.inverse(truth);
  auto parts = cut_into_parts(whole, {{0, 3}, {1, 2}, {4, 5, 6}});
  parts.erase(parts.begin() + 1);
  const PartedAnswer answer = answer_of(sum_of_contributions(parts, fresh));
  EXPECT_LT(largest(answer.scores - truth), 1e-12);
  EXPECT_LT(answer.errors.maxCoeff(), 1e-12);

  // Off the span: the distance to it in these coordinates, by least squares.
  fresh += 0.3 * normal_samples(7, 5, 11);
  const Columns left = {0, 3, 4, 5, 6};
  const Matrix u = rows_of(whole.components, left);
  const Matrix z = rows_of(fresh.colwise() - whole.mean, left);
  const Matrix t = u.colPivHouseholderQr().solve(z);
  const PartedAnswer near = answer_of(sum_of_contributions(parts, fresh));
  EXPECT_LT(largest(near.scores - t.transpose()), 1e-12);
  EXPECT_LT(largest(near.errors - (z - u * t).colwise().squaredNorm().transpose()), 1e-12);
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
              HasSubstr("contributions are 5 x 1"));
}

}  // namespace
}  // namespace choir
