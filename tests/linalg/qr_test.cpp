#include "choir/linalg/qr.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "linalg/matrices.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

template <class Scalar>
class ThinQrTest : public ::testing::Test {
 protected:
  static constexpr double tolerance = 50.0 * std::numeric_limits<Scalar>::epsilon();

  static void expect_factors(const MatrixOf<Scalar>& a, const ThinQrOf<Scalar>& qr) {
    EXPECT_LT((qr.q * qr.r - a).norm(), tolerance * std::max(1.0, static_cast<double>(a.norm())));
    EXPECT_LT(testing::orthonormality_error(qr.q), tolerance);
    EXPECT_TRUE(qr.r.isUpperTriangular(0));
    EXPECT_TRUE((qr.r.diagonal().array() >= 0).all());
  }
};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ThinQrTest, Scalars);

TYPED_TEST(ThinQrTest, FactorsTallAndSquareMatrices) {
  std::uint64_t seed = 0;
  for (const auto& [m, n] : std::vector<std::pair<Index, Index>>{{1, 1}, {7, 7}, {200, 13}, {500, 90}}) {
    const MatrixOf<TypeParam> a = testing::random_matrix(m, n, ++seed).template cast<TypeParam>();
    this->expect_factors(a, thin_qr(a));
  }
}

TYPED_TEST(ThinQrTest, KeepsQOrthonormalWhenColumnsDepend) {
  MatrixOf<TypeParam> a = testing::random_matrix(60, 8, 3).cast<TypeParam>();
  a.col(3) = a.col(0) - 2 * a.col(2);
  a.col(6).setZero();
  const auto qr = thin_qr(a);
  this->expect_factors(a, qr);
  EXPECT_LT(qr.r(3, 3), this->tolerance * 10);
  EXPECT_LT(qr.r(6, 6), this->tolerance * 10);
  this->expect_factors(MatrixOf<TypeParam>::Zero(5, 3), thin_qr<TypeParam>(MatrixOf<TypeParam>::Zero(5, 3)));
}

TYPED_TEST(ThinQrTest, LeavesAnOrthonormalMatrixAlone) {
  const MatrixOf<TypeParam> q = testing::random_orthonormal(40, 6, 4).cast<TypeParam>();
  EXPECT_LT((thin_qr(q).q - q).cwiseAbs().maxCoeff(), this->tolerance);
}

TYPED_TEST(ThinQrTest, HasNothingToDoWithoutColumns) {
  const auto qr = thin_qr<TypeParam>(MatrixOf<TypeParam>(5, 0));
  EXPECT_EQ(qr.q.rows(), 5);
  EXPECT_EQ(qr.r.size(), 0);
}

template <class Scalar>
std::string message_of(MatrixOf<Scalar> a, ErrorCategory category) {
  try {
    thin_qr(std::move(a));
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), category);
    return error.what();
  }
  return "no error";
}

TYPED_TEST(ThinQrTest, RefusesWideMatricesAndNaN) {
  EXPECT_THAT(message_of<TypeParam>(MatrixOf<TypeParam>::Ones(2, 3), ErrorCategory::InvalidArgument),
              ::testing::HasSubstr("2 x 3 matrix has no thin QR"));
  MatrixOf<TypeParam> bad = MatrixOf<TypeParam>::Ones(3, 2);
  bad(1, 1) = std::numeric_limits<TypeParam>::quiet_NaN();
  EXPECT_THAT(message_of<TypeParam>(bad, ErrorCategory::Numerical), ::testing::HasSubstr("NaN"));
}

}  // namespace
}  // namespace choir
