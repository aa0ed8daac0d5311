#include "choir/linalg/block_krylov.h"

#include "linalg/matrices.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

// The first 30 eigenvalues of the centred RBF kernel matrix of MNIST (N = 8000, gamma 2e-7), then a tail
// that falls like theirs.
Vector kernel_spectrum(Index n) {
  Vector values(30);
  values << 338, 241, 186, 169, 153, 140, 108, 95.7, 92.9, 87.7, 76.6, 70.1, 64.5, 59.4, 53.4, 51.3, 47.7,
      43.5, 42.3, 40.8, 38.6, 36.2, 35.9, 34.2, 33.1, 31.4, 30.3, 29.7, 29.1, 28.3;
  Vector spectrum = 28.3 * 30 * testing::power_law(n, 1.1) * std::pow(30.0, 0.1);
  spectrum.head(30) = values;
  return spectrum;
}

// Ten eigenvalues, each within this share of itself.
template <class Scalar>
void expect_eigenvalues_of_a_kernel_matrix(int most_passes, double share) {
  const Vector spectrum = kernel_spectrum(4000);
  const testing::DiagonalOperator<Scalar> op(spectrum);
  const auto top = block_krylov<Scalar>(op, {.count = 10, .tol = 1e-6});
  EXPECT_TRUE(top.converged);
  EXPECT_LE(op.passes, most_passes);
  EXPECT_EQ(top.products, op.columns);
  const Vector values = top.values.template cast<double>();
  EXPECT_LT((values.array() / spectrum.head(10).array() - 1).abs().maxCoeff(), share);
}

TEST(BlockKrylov, NeedsFewPassesOverAKernelMatrix) {
  expect_eigenvalues_of_a_kernel_matrix<double>(9, 1e-10);
}

TEST(BlockKrylov, AGoodStartSavesPassesAndABadOneDoesNoHarm) {
  const Vector spectrum = kernel_spectrum(4000);
  const testing::DiagonalOperator<double> random(spectrum), good(spectrum), bad(spectrum);
  block_krylov<double>(random, {.count = 10, .tol = 1e-6});
  const Matrix nearly = Matrix::Identity(4000, 14) + 1e-3 * testing::random_matrix(4000, 14, 1);
  EXPECT_TRUE(block_krylov<double>(good, {.count = 10, .tol = 1e-6, .start = nearly}).converged);
  EXPECT_LT(good.passes, random.passes);
  Matrix useless = Matrix::Zero(4000, 20);  // more columns than a block, empty, and one of them twice
  useless.col(3).setOnes();
  useless.col(4).setOnes();
  const auto top = block_krylov<double>(bad, {.count = 10, .tol = 1e-6, .start = useless});
  EXPECT_TRUE(top.converged);
  EXPECT_LT((top.values.array() / spectrum.head(10).array() - 1).abs().maxCoeff(), 1e-10);
}

TEST(BlockKrylov, SinglePrecisionKeepsFiveDigitsOfEveryEigenvalue) {
  expect_eigenvalues_of_a_kernel_matrix<float>(10, 1e-6);
}

TEST(BlockKrylov, RestartsUntilCloseEigenvaluesSeparate) {
  Vector spectrum(3000);  // neighbours at 1/3000 of the range: far too close for one basis
  for (Index k = 0; k < spectrum.size(); ++k) spectrum[k] = 1 - static_cast<double>(k) / 3000;
  const testing::DiagonalOperator<double> op(spectrum);
  const auto top = block_krylov<double>(op, {.count = 3, .tol = 1e-9});
  EXPECT_TRUE(top.converged);
  EXPECT_GT(op.passes, 14);  // more than a basis holds
  EXPECT_LT((top.values - spectrum.head(3)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(testing::orthonormality_error(top.vectors), 1e-12);
}

TEST(BlockKrylov, SaysWhenItRanOutOfRestarts) {
  Vector spectrum(3000);
  for (Index k = 0; k < spectrum.size(); ++k) spectrum[k] = 1 - static_cast<double>(k) / 3000;
  const testing::DiagonalOperator<double> op(spectrum);
  const auto top = block_krylov<double>(op, {.count = 3, .tol = 1e-9, .max_restarts = 1});
  EXPECT_FALSE(top.converged);
  EXPECT_GT(top.residual, 1e-9);
  const Matrix images = spectrum.asDiagonal() * top.vectors;
  const double measured = (images - top.vectors * top.values.asDiagonal()).colwise().norm().maxCoeff();
  EXPECT_NEAR(measured / top.values[0], top.residual, 1e-6 * top.residual);
}

TEST(BlockKrylov, EndsWhenThePrecisionIsExhausted) {
  const testing::DiagonalOperator<float> op(kernel_spectrum(1000));
  const auto top = block_krylov<float>(op, {.count = 5, .tol = 0});
  EXPECT_FALSE(top.converged);
  EXPECT_LT(top.residual, 2e-6);
  EXPECT_LT(op.passes, 30);
}

TEST(BlockKrylov, FindsAnEigenvalueThatFillsTheWholeBlock) {
  Vector spectrum = kernel_spectrum(2000);
  spectrum.head(20).setConstant(spectrum[0]);
  const testing::DiagonalOperator<double> op(spectrum);
  const auto top = block_krylov<double>(op, {.count = 20, .tol = 1e-9});
  EXPECT_TRUE(top.converged);
  EXPECT_LT((top.values.array() - spectrum[0]).abs().maxCoeff(), 1e-9 * spectrum[0]);
}

TEST(BlockKrylov, IsIndifferentToScale) {
  for (const double scale : {1e-30, 1e30}) {
    const Vector spectrum = scale * kernel_spectrum(500);
    const testing::DiagonalOperator<double> op(spectrum);
    const auto top = block_krylov<double>(op, {.count = 4, .tol = 1e-8});
    EXPECT_TRUE(top.converged);
    EXPECT_LT((top.values.array() / spectrum.head(4).array() - 1).abs().maxCoeff(), 1e-12);
  }
}

}  // namespace
}  // namespace choir
