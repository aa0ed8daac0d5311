#include "choir/learn/online_kernel/sequence.h"

#include <cmath>

#include "linalg/matrices.h"
#include <gtest/gtest.h>

#include "choir/learn/online_kernel/expansion.h"

namespace choir::online_kernel {
namespace {

Options options_of(Loss loss, Index classes) {
  Options options;
  options.loss = loss;
  for (Index k = 0; k < classes; ++k) options.classes.push_back(k);
  return options;
}

// One sample after the other, each with the whole function evaluated anew.
TEST(Sequence, TakesEveryGradientWhereTheSamplesBeforeLeftTheFunction) {
  const Options options = options_of(Loss::squared, 0);
  const Samples batch = testing::random_matrix(2, 6, 1);
  const Matrix gram = own_gram({.gamma = 0.4}, batch);
  const Vector y = testing::random_matrix(6, 1, 2);
  const Matrix before = testing::random_matrix(6, 1, 3);
  constexpr double step = 0.7;
  Vector truth = Vector::Zero(6);
  for (Index b = 0; b < 6; ++b) {
    const double here = before(b, 0) + gram.row(b).dot(truth);
    truth(b) = -step * (here - y(b)) / (1 + step);
  }
  EXPECT_LT((descent_in_sequence(options, before, gram, y, step) - truth).norm(), 1e-13);
}

// For the squared loss the damped step is the implicit one: longer steps end nearer to the target, none
// beyond it.
TEST(Sequence, NoStepOvershootsHoweverLongItIs) {
  const Options options = options_of(Loss::squared, 0);
  for (const double step : {0.1, 10.0, 1e6}) {
    const double kappa = 4;
    const Matrix coefficient = descent_in_sequence(
        options, Matrix::Constant(1, 1, 3.0), Matrix::Constant(1, 1, kappa), Vector::Constant(1, 1.0), step);
    EXPECT_NEAR(3 + kappa * coefficient(0, 0), 1 + 2 / (1 + step * kappa), 1e-9);
  }
}

// Labels that a sample's twin contradicts: bounded after a thousand long steps.
TEST(Sequence, StaysBoundedWhereLabelsContradictEachOther) {
  const Options options = options_of(Loss::logistic, 2);
  Matrix scores = Matrix::Zero(2, 2);
  Vector targets(2);
  targets << 0, 1;
  const Matrix twins = Matrix::Ones(2, 2);
  for (int t = 0; t < 1000; ++t) scores += twins * descent_in_sequence(options, scores, twins, targets, 100);
  EXPECT_LT(scores.cwiseAbs().maxCoeff(), 10);
}

TEST(Sequence, OfNoSamplesIsNothing) {
  const Options options = options_of(Loss::logistic, 3);
  EXPECT_EQ(descent_in_sequence(options, Matrix(0, 3), Matrix(0, 0), Vector(0), 1).rows(), 0);
}

}  // namespace
}  // namespace choir::online_kernel
