#include "choir/learn/online_kernel/ridge_family.h"

#include "graph/expect_error.h"
#include "linalg/matrices.h"
#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace choir::online_kernel {
namespace {

using choir::testing::expect_error;
using choir::testing::random_matrix;

constexpr Index features = 5, outputs = 2, samples = 30;

struct Problem {
  Matrix psi = random_matrix(features, samples, 1);
  Matrix y = random_matrix(samples, outputs, 2);
  Vector weights = random_matrix(samples, 1, 3).cwiseAbs();

  FeatureSums sums() const {
    FeatureSums sums = FeatureSums::none(features, outputs);
    sums.learn(psi, y, weights);
    return sums;
  }
  // The normal equations with a column of ones, whose weight is not penalised.
  Matrix solution(double ridge) const {
    Matrix rows(features + 1, samples);
    rows << psi, Matrix::Ones(1, samples);
    Matrix system = rows * weights.asDiagonal() * rows.transpose();
    system.diagonal().head(features).array() += ridge;
    return system.fullPivLu().solve(rows * weights.asDiagonal() * y);
  }
};

TEST(RidgeFamily, HasTheRidgeRegressionOfEveryPenalty) {
  const Problem problem;
  const RidgeFamily family = ridge_family(problem.sums());
  for (const double ridge : {1e-3, 0.5, 100.0})
    EXPECT_LT((weights_of(family, ridge) - problem.solution(ridge)).norm(), 1e-9) << ridge;
}

TEST(RidgeFamily, OneFactorisationGivesTheSame) {
  const FeatureSums sums = Problem().sums();
  const RidgeFamily family = ridge_family(sums);
  EXPECT_LT((ridge_weights(sums, 0.5) - weights_of(family, 0.5 * family.length)).norm(), 1e-10);
}

// The independent truth: fit again without the sample.
TEST(RidgeFamily, LeavingASampleOutIsFittingWithoutIt) {
  const Problem problem;
  const double ridge = 0.7;
  const RidgeFamily family = ridge_family(problem.sums());
  const Matrix scores = scores_of(weights_of(family, ridge), problem.psi);
  const Vector h = leverages(family, ridge, coordinates_of(family, problem.psi), problem.weights);
  const Matrix answers = left_out(scores, problem.y, h);
  for (const Index n : {0, 11, 29}) {
    Problem without = problem;
    without.weights(n) = 0;
    const Matrix expected = scores_of(without.solution(ridge), problem.psi.col(n));
    EXPECT_LT((answers.row(n) - expected).norm(), 1e-9) << n;
  }
}

TEST(RidgeFamily, TheLossOfAnAnswerFollowsFromMoments) {
  const Problem problem;
  const Matrix answer = random_matrix(features + 1, outputs, 4);
  const Matrix errors = scores_of(answer, problem.psi) - problem.y;
  const double expected = problem.weights.dot(Vector(errors.rowwise().squaredNorm()));
  EXPECT_NEAR(squared_loss(problem.sums(), answer), expected, 1e-10 * expected);
}

TEST(RidgeFamily, ShiftedAndScaledTargetsGiveShiftedAndScaledAnswers) {
  const Problem problem;
  Problem other = problem;
  other.y = (1000 * problem.y).array() + 100;
  const Matrix scores = scores_of(weights_of(ridge_family(problem.sums()), 0.1), problem.psi);
  const Matrix others = scores_of(weights_of(ridge_family(other.sums()), 0.1), problem.psi);
  EXPECT_LT((others - Matrix((1000 * scores).array() + 100)).norm(), 1e-8);
}

TEST(RidgeFamily, OfFewerFeaturesGivesTheOthersNoWeight) {
  const Problem problem;
  const std::vector<Index> chosen = {0, 2, 3};
  const Matrix row = problem.sums().packed(chosen);
  const RidgeFamily few = ridge_family(FeatureSums::unpacked(row, 3, outputs));
  const Matrix all = weights_of(spread_over(few, chosen, features), 0.3);
  const Matrix small = weights_of(few, 0.3);
  EXPECT_LT((all(std::vector<Index>{0, 2, 3, 5}, Eigen::all) - small).norm(), 1e-12);
  EXPECT_EQ(all.row(1).norm() + all.row(4).norm(), 0);
}

TEST(RidgeFamily, WithoutFeaturesIsTheConstantAnswer) {
  FeatureSums sums = FeatureSums::none(0, 1);
  sums.learn(Matrix(0, 3), Vector{{1, 2, 6}}, Vector{{1, 1, 2}});
  EXPECT_EQ(weights_of(ridge_family(sums), 1), (Matrix{{3.75}}));
}

TEST(RidgeFamily, NeedsASample) {
  expect_error(ErrorCategory::InvalidArgument, {"no moments"}, [] { ridge_family(FeatureSums::none(3, 1)); });
}

}  // namespace
}  // namespace choir::online_kernel
