#include "choir/linalg/polar.h"

#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/base/rng.h"

namespace choir {
namespace {

Matrix normal_matrix(Index size, std::uint64_t seed) {
  Rng rng(seed, Purpose("polar"));
  return Matrix::NullaryExpr(size, size, [&] { return rng.normal(); });
}

TEST(PolarFactor, IsOrthogonalAndLeavesASymmetricFactor) {
  for (const Index size : {1, 2, 6}) {
    const Matrix a = normal_matrix(size, 1);
    const Matrix q = polar_factor(a);
    EXPECT_LE((q.transpose() * q - Matrix::Identity(size, size)).norm(), 1e-13);
    const Matrix p = q.transpose() * a;
    EXPECT_LE((p - p.transpose()).norm(), 1e-12);
    EXPECT_GE(p.trace(), 0);
  }
  EXPECT_THROW(polar_factor(Matrix::Zero(2, 3)), Error);
}

TEST(InverseSquareRoot, UndoesASquare) {
  const Matrix a = normal_matrix(5, 2);
  const Matrix square = a * a.transpose();
  const Matrix root = inverse_square_root(square);
  EXPECT_LE((root * square * root - Matrix::Identity(5, 5)).norm(), 1e-9);
}

TEST(InverseSquareRoot, FloorsWhatIsSingular) {
  const Matrix flat = (Vector(3) << 4, 1, 0).finished().asDiagonal();
  const Matrix root = inverse_square_root(flat, 1e-2);
  EXPECT_NEAR(root(0, 0), 0.5, 1e-14);
  EXPECT_NEAR(root(2, 2), 1 / std::sqrt(0.04), 1e-12);
  EXPECT_EQ(inverse_square_root(Matrix::Zero(2, 2)), Matrix::Zero(2, 2));
}

}  // namespace
}  // namespace choir
