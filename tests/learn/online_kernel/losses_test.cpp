#include "choir/learn/online_kernel/losses.h"

#include <cmath>

#include "graph/expect_error.h"
#include "linalg/matrices.h"
#include <gtest/gtest.h>

#include "choir/linalg/eigen.h"

namespace choir::online_kernel {
namespace {

using testing::random_matrix;

constexpr Loss all_losses[] = {Loss::logistic, Loss::hinge, Loss::squared, Loss::huber};

struct Example {
  Matrix scores;
  Vector targets;
};

Example example(Loss loss) {
  Example result{.scores = 2 * random_matrix(12, is_classification(loss) ? 4 : 1, 1), .targets = Vector(12)};
  for (Index b = 0; b < 12; ++b) {
    result.targets(b) =
        is_classification(loss) ? static_cast<double>(b % 4) : std::sin(static_cast<double>(b));
  }
  return result;
}

// The mean is over samples, the gradient of each sample its own.
TEST(Losses, GradientsAreFiniteDifferences) {
  constexpr double h = 1e-6;
  for (const Loss loss : all_losses) {
    const Example at = example(loss);
    const Matrix gradient = loss_gradient(loss, at.scores, at.targets, 0.7).gradient;
    for (Index b = 0; b < at.scores.rows(); ++b) {
      for (Index k = 0; k < at.scores.cols(); ++k) {
        Matrix up = at.scores, down = at.scores;
        up(b, k) += h;
        down(b, k) -= h;
        const double slope = (loss_gradient(loss, up, at.targets, 0.7).mean -
                              loss_gradient(loss, down, at.targets, 0.7).mean) *
                             static_cast<double>(at.scores.rows()) / (2 * h);
        EXPECT_NEAR(gradient(b, k), slope, 1e-7) << to_string(loss) << " " << b << " " << k;
      }
    }
  }
}

TEST(Losses, HaveTheirTextbookValues) {
  const Matrix scores{{1, 2, 4}};
  EXPECT_NEAR(loss_gradient(Loss::logistic, scores, Vector::Constant(1, 1)).mean,
              -std::log(std::exp(2) / (std::exp(1) + std::exp(2) + std::exp(4))), 1e-14);
  EXPECT_EQ(loss_gradient(Loss::hinge, scores, Vector::Constant(1, 1)).mean, 3);
  EXPECT_EQ(loss_gradient(Loss::hinge, scores, Vector::Constant(1, 2)).mean, 0);
  const Matrix value{{3}};
  EXPECT_EQ(loss_gradient(Loss::squared, value, Vector::Constant(1, 1)).mean, 2);
  EXPECT_EQ(loss_gradient(Loss::huber, value, Vector::Constant(1, 1), 0.5).mean, 0.5 * (2 - 0.25));
  EXPECT_EQ(loss_gradient(Loss::huber, value, Vector::Constant(1, 2.75), 0.5).mean, 0.25 * 0.25 / 2);
}

TEST(Losses, StayFiniteForScoresOfAnySize) {
  const Matrix scores{{800, -800, 0}};
  const LossGradient loss = loss_gradient(Loss::logistic, scores, Vector::Constant(1, 1));
  EXPECT_EQ(loss.mean, 1600);
  EXPECT_EQ(loss.gradient, (Matrix{{1, -1, 0}}));
}

TEST(Losses, OfAnEmptyBatchAreZero) {
  for (const Loss loss : all_losses) {
    const LossGradient nothing = loss_gradient(loss, Matrix(0, 3), Vector(0));
    EXPECT_EQ(nothing.mean, 0);
    EXPECT_EQ(nothing.gradient.rows(), 0);
    EXPECT_EQ(nothing.gradient.cols(), 3);
  }
}

// The Hessian of the logistic loss is diag(p) - p p'.
TEST(Losses, CurvatureBoundsTheHessian) {
  double largest = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Vector p = random_matrix(3, 1, seed).array().exp();
    p /= p.sum();
    const Matrix hessian = Matrix(p.asDiagonal()) - p * p.transpose();
    largest = std::max(largest, eigen_symmetric(hessian).values(0));
  }
  EXPECT_LE(largest, curvature(Loss::logistic));
  EXPECT_GT(largest, 0.9 * curvature(Loss::logistic));
  EXPECT_EQ(curvature(Loss::squared), 1);
}

TEST(Losses, CountsMistakes) {
  const Matrix scores{{1, 2}, {3, 0}, {0, 1}, {2, 1}};
  EXPECT_EQ(share_of_mistakes(scores, Vector{{1, 0, 0, 0}}), 0.25);
  EXPECT_EQ(share_of_mistakes(Matrix(0, 2), Vector(0)), 0);
}

TEST(Losses, FindsThePlacesOfLabelsAndNamesOneThatHasNone) {
  EXPECT_EQ(places_of(Vector{{7, -2, 3}}, {-2, 3, 7}), (Vector{{2, 0, 1}}));
  testing::expect_error(ErrorCategory::BadData, {"label 4", "3 classes"}, [] {
    places_of(Vector{{3, 4}}, {-2, 3, 7});
  });
  testing::expect_error(ErrorCategory::BadData, {"2.5"}, [] { places_of(Vector{{2.5}}, {2, 3}); });
}

}  // namespace
}  // namespace choir::online_kernel
