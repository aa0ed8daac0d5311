#include "choir/learn/assessment/score_moments.h"

#include "linalg/matrices.h"
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/linalg/eigen.h"

namespace choir {
namespace {

Matrix centred_covariance(const Matrix& scores) {
  const Matrix centred = scores.rowwise() - scores.colwise().mean();
  return centred.transpose() * centred / static_cast<double>(scores.rows());
}

TEST(ScoreMoments, CapturedVarianceIsThatOfTheCentredScoresWhateverConstantTheyCarry) {
  const Matrix scores = testing::random_matrix(40, 3, 1);
  const Vector expected = eigen_symmetric<double>(centred_covariance(scores)).values;
  Matrix shifted = scores;
  shifted.rowwise() += Eigen::RowVector3d(3, -2, 5);
  EXPECT_LT((captured_variance(score_moments(scores)) - expected).norm(), 1e-12);
  EXPECT_LT((captured_variance(score_moments(shifted)) - expected).norm(), 1e-12);
}

TEST(ScoreMoments, RotatingAnAnswerDoesNotChangeWhatItCaptures) {
  const Matrix scores = testing::random_matrix(40, 2, 1);
  Matrix turn(2, 2);
  turn << 0.6, 0.8, -0.8, 0.6;
  EXPECT_LT(
      (captured_variance(score_moments(scores * turn)) - captured_variance(score_moments(scores))).norm(),
      1e-12);
}

TEST(ScoreMoments, NoSamplesAreRefused) {
  EXPECT_THROW(captured_variance(score_moments(Matrix(0, 2))), Error);
}

}  // namespace
}  // namespace choir
