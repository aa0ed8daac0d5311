#include "choir/learn/online_kernel/jittered_cholesky.h"

#include "graph/expect_error.h"
#include "linalg/matrices.h"
#include <gtest/gtest.h>

namespace choir::online_kernel {
namespace {

Matrix product(const JitteredCholesky& cholesky) {
  return cholesky.factor.lower * cholesky.factor.lower.transpose();
}

TEST(JitteredCholesky, AddsNoMoreThanItIsAskedToWhereThatIsEnough) {
  const Matrix singular = Matrix::Ones(6, 6);
  const JitteredCholesky cholesky = jittered_cholesky(singular);
  EXPECT_EQ(cholesky.jitter, 1e-8);
  EXPECT_LT((product(cholesky) - singular - 1e-8 * Matrix::Identity(6, 6)).norm(), 1e-14);
}

// Tenfold, until the smallest eigenvalue, -0.003, is lifted.
TEST(JitteredCholesky, AddsMoreWhereTheMatrixIsNotPositiveDefinite) {
  const Matrix indefinite = testing::with_spectrum(Vector{{2, 1, 0.5, -0.003}}, 1);
  const JitteredCholesky cholesky = jittered_cholesky(indefinite);
  EXPECT_NEAR(cholesky.jitter, 1e-2, 1e-12);
  EXPECT_LT((product(cholesky) - indefinite - cholesky.jitter * Matrix::Identity(4, 4)).norm(), 1e-13);
}

TEST(JitteredCholesky, RefusesWhatIsNoKernelMatrix) {
  const Matrix negative = testing::with_spectrum(Vector{{1, -50}}, 1);
  testing::expect_error(ErrorCategory::Numerical, {"2 atoms", "positive definite"},
                        [&] { jittered_cholesky(negative); });
}

}  // namespace
}  // namespace choir::online_kernel
