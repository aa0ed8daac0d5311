#include "choir/linalg/svd.h"

#include <limits>

#include <Eigen/SVD>
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/base/rng.h"

namespace choir {
namespace {

Matrix normal_entries(Index rows, Index columns) {
  Rng rng(1, Purpose("svd"));
  return Matrix::NullaryExpr(rows, columns, [&] { return rng.normal(); });
}

TEST(Svd, AgreesWithJacobiAndGivesTheMatrixBack) {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{1, 1}, {7, 3}, {3, 7}, {40, 40}}) {
    const Matrix a = normal_entries(rows, columns);
    const Svd parts = svd(a);
    const Index least = std::min(rows, columns);
    EXPECT_LE((parts.values - Eigen::JacobiSVD<Matrix>(a).singularValues()).norm(), 1e-12);
    EXPECT_LE((parts.u * parts.values.asDiagonal() * parts.v.transpose() - a).norm(), 1e-12);
    EXPECT_LE((parts.u.transpose() * parts.u - Matrix::Identity(least, least)).norm(), 1e-12);
    EXPECT_LE((parts.v.transpose() * parts.v - Matrix::Identity(least, least)).norm(), 1e-12);
    EXPECT_LE((singular_values(a) - parts.values).norm(), 1e-13);
  }
}

TEST(Svd, OfARankOneMatrixHasOneValue) {
  const Vector u = normal_entries(6, 1), v = normal_entries(4, 1);
  const Vector values = singular_values(u * v.transpose());
  EXPECT_NEAR(values(0), u.norm() * v.norm(), 1e-13);
  EXPECT_LE(values.tail(3).maxCoeff(), 1e-14);
}

TEST(Svd, OfNothingIsNothing) {
  EXPECT_EQ(singular_values(Matrix(0, 3)).size(), 0);
  EXPECT_EQ(svd(Matrix(3, 0)).u.cols(), 0);
}

TEST(Svd, RefusesWhatIsNotFinite) {
  Matrix a = normal_entries(3, 3);
  a(1, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(svd(a), Error);
  EXPECT_THROW(singular_values(a), Error);
}

}  // namespace
}  // namespace choir
