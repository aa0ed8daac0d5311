#include "choir/linalg/lanczos.h"

#include <algorithm>

#include "linalg/matrices.h"
#include <gtest/gtest.h>

#include "choir/linalg/block_krylov.h"

namespace choir {
namespace {

TEST(Lanczos, MultipliesFewerColumnsThanBlocksDo) {
  const Vector spectrum = testing::power_law(3000, 0.6);
  const testing::DiagonalOperator<double> single(spectrum), blocked(spectrum);
  const TopEigenOptions options{.count = 10, .tol = 1e-10};
  const auto top = lanczos<double>(single, options);
  EXPECT_TRUE(top.converged);
  EXPECT_EQ(top.products, single.columns);
  EXPECT_LT((top.values - spectrum.head(10)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_TRUE(block_krylov<double>(blocked, options).converged);
  EXPECT_LT(single.columns, blocked.columns);
}

// Lanczos alone returns one copy of each eigenvalue here; the check must notice every time.
TEST(Lanczos, NoticesMissingCopies) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Vector spectrum = testing::power_law(500, 1);
    spectrum[1] = spectrum[0];
    spectrum[4] = spectrum[3];
    const testing::DiagonalOperator<double> op(spectrum);
    const auto top = lanczos<double>(op, {.count = 6, .tol = 1e-9, .seed = seed});
    EXPECT_TRUE(top.converged);
    EXPECT_LT((top.values - spectrum.head(6)).cwiseAbs().maxCoeff(), 1e-9) << "seed " << seed;
    EXPECT_EQ(top.products, op.columns);
  }
}

// The check for missing copies solves another problem, whose residuals must not pass for those of the answer.
TEST(Lanczos, ReportsNoResidualOfItsCheck) {
  const testing::DiagonalOperator<double> op(testing::power_law(500, 0.6));
  TopEigenOptions options{.count = 6, .tol = 1e-9};
  double reported = 0;
  Index products = 0;
  options.watch.progress = [&](const Progress& progress) {
    reported = std::max(reported, progress.measure);
    products = std::max(products, progress.done);
  };
  EXPECT_TRUE(lanczos<double>(op, options).converged);
  EXPECT_GT(products, 6);
  EXPECT_EQ(reported, 0);
}

TEST(Lanczos, LeavesWhatItCannotDoToBlocks) {
  const testing::DiagonalOperator<double> zero(Vector::Zero(100));
  const auto top = lanczos<double>(zero, {.count = 3});
  EXPECT_TRUE(top.converged);
  EXPECT_EQ(top.values, Vector::Zero(3));
  EXPECT_LT(testing::orthonormality_error(top.vectors), 1e-14);
}

TEST(Lanczos, WorksInSinglePrecision) {
  const Vector spectrum = testing::power_law(1000, 1);
  const testing::DiagonalOperator<float> op(spectrum);
  const auto top = lanczos<float>(op, {.count = 5, .tol = 2e-6});
  EXPECT_TRUE(top.converged);
  EXPECT_LT((top.values.cast<double>() - spectrum.head(5)).cwiseAbs().maxCoeff(), 1e-6);
}

}  // namespace
}  // namespace choir
