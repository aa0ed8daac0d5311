#include "choir/learn/online_kernel/feature_sums.h"

#include "graph/expect_error.h"
#include "linalg/matrices.h"
#include <gtest/gtest.h>

namespace choir::online_kernel {
namespace {

using choir::testing::expect_error;
using choir::testing::random_matrix;

constexpr Index features = 6, outputs = 2, samples = 20;

struct Lessons {
  Matrix psi = random_matrix(features, samples, 1);
  Matrix y = random_matrix(samples, outputs, 2);
  Vector weights = random_matrix(samples, 1, 3).cwiseAbs();
};

FeatureSums sums_of(const Lessons& lessons, Index first, Index count) {
  FeatureSums sums = FeatureSums::none(features, outputs);
  sums.learn(lessons.psi.middleCols(first, count), lessons.y.middleRows(first, count),
             lessons.weights.segment(first, count));
  return sums;
}

Matrix lower(const Matrix& matrix) { return matrix.triangularView<Eigen::Lower>(); }

void expect_near(const FeatureSums& a, const FeatureSums& b) {
  EXPECT_NEAR(a.samples, b.samples, 1e-12);
  EXPECT_NEAR(a.weight, b.weight, 1e-12);
  EXPECT_NEAR(a.squares, b.squares, 1e-12);
  EXPECT_LT((a.features - b.features).norm(), 1e-12);
  EXPECT_LT((a.targets - b.targets).norm(), 1e-12);
  EXPECT_LT((a.cross - b.cross).norm(), 1e-12);
  EXPECT_LT(lower(a.products - b.products).norm(), 1e-12);
}

TEST(FeatureSums, AreWeightedMoments) {
  const Lessons lessons;
  const FeatureSums sums = sums_of(lessons, 0, samples);
  EXPECT_EQ(sums.samples, samples);
  Matrix products = Matrix::Zero(features, features), cross = Matrix::Zero(features, outputs);
  double squares = 0;
  for (Index n = 0; n < samples; ++n) {
    products += lessons.weights(n) * lessons.psi.col(n) * lessons.psi.col(n).transpose();
    cross += lessons.weights(n) * lessons.psi.col(n) * lessons.y.row(n);
    squares += lessons.weights(n) * lessons.y.row(n).squaredNorm();
  }
  EXPECT_LT(lower(sums.products - products).norm(), 1e-12);
  EXPECT_LT((sums.cross - cross).norm(), 1e-12);
  EXPECT_NEAR(sums.squares, squares, 1e-12);
  EXPECT_NEAR(sums.weight, lessons.weights.sum(), 1e-12);
}

TEST(FeatureSums, OfPartsAddUpToThoseOfAll) {
  const Lessons lessons;
  FeatureSums parts = sums_of(lessons, 0, 7);
  parts += sums_of(lessons, 7, samples - 7);
  expect_near(parts, sums_of(lessons, 0, samples));
}

TEST(FeatureSums, ForgettingIsASmallerWeight) {
  Lessons lessons;
  FeatureSums faded = sums_of(lessons, 0, samples);
  faded.forget(0.5);
  lessons.weights *= 0.5;
  FeatureSums lighter = sums_of(lessons, 0, samples);
  lighter.samples *= 0.5;
  expect_near(faded, lighter);
}

TEST(FeatureSums, ARowHoldsThoseOfTheChosenFeatures) {
  Lessons lessons;
  const std::vector<Index> chosen = {0, 1, 3, 4};
  const Matrix row = sums_of(lessons, 0, samples).packed(chosen);
  EXPECT_EQ(row.cols(), packed_size(4, outputs));
  const FeatureSums read = FeatureSums::unpacked(row, 4, outputs);
  FeatureSums expected = FeatureSums::none(4, outputs);
  expected.learn(lessons.psi(chosen, Eigen::all), lessons.y, lessons.weights);
  expect_near(read, expected);
}

// Two classes of equal products about their means, one with a third of the weight it should have: the sums
// become those of samples with the right weights.
TEST(FeatureSums, RebalancedAreThoseOfClassesOfTheSameWeight) {
  const Index each = 8;
  const Matrix spread = random_matrix(features, each, 1);
  const Matrix about = spread.colwise() - Vector(spread.rowwise().mean());
  Matrix psi(features, 2 * each), y = Matrix::Zero(2 * each, 2);
  psi << about.colwise() + Vector(random_matrix(features, 1, 5)),
      about.colwise() + Vector(random_matrix(features, 1, 6));
  y.col(0).head(each).setOnes();
  y.col(1).tail(each).setOnes();
  const auto weighted = [&](double first, double second) {
    Vector weights(2 * each);
    weights << Vector::Constant(each, first), Vector::Constant(each, second);
    FeatureSums sums = FeatureSums::none(features, 2);
    sums.learn(psi, y, weights);
    return sums;
  };
  const FeatureSums askew = weighted(0.5, 1.5);
  const Vector factors = balancing_factors(askew);
  EXPECT_LT((factors - Vector{{2, 2.0 / 3}}).norm(), 1e-12);
  expect_near(rebalanced(askew, factors), weighted(1, 1));
}

TEST(FeatureSums, ARowOfAnotherLengthIsRefused) {
  const Matrix row = Matrix::Zero(1, packed_size(4, outputs) + 1);
  expect_error(ErrorCategory::BadData, {"a total of moments"},
               [&] { FeatureSums::unpacked(row, 4, outputs); });
}

}  // namespace
}  // namespace choir::online_kernel
