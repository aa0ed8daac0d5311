#include "choir/linalg/lapack.h"

#include <limits>

#include "linalg/matrices.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

using lapack::EigenDriver;

template <class Scalar>
class Lapack : public ::testing::Test {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Lapack, Scalars);

// Large matrices go to syevr only because of the other's workspace; both must solve the same problem.
TYPED_TEST(Lapack, BothDriversDiagonaliseTheLowerTriangle) {
  const double tolerance = 100 * static_cast<double>(std::numeric_limits<TypeParam>::epsilon());
  const Vector spectrum = testing::power_law(90, 0.7);
  const MatrixOf<TypeParam> matrix = testing::with_spectrum(spectrum, 1).cast<TypeParam>();
  for (const EigenDriver driver : {EigenDriver::divide_and_conquer, EigenDriver::relatively_robust}) {
    MatrixOf<TypeParam> vectors = matrix;
    vectors.template triangularView<Eigen::StrictlyUpper>().setConstant(
        std::numeric_limits<TypeParam>::quiet_NaN());
    VectorOf<TypeParam> values;
    ASSERT_TRUE(lapack::eigen_symmetric(vectors, values, driver));
    EXPECT_LT((values.reverse().template cast<double>() - spectrum).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_LT((matrix * vectors - vectors * values.asDiagonal()).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_LT(testing::orthonormality_error(vectors), tolerance);
  }
}

TYPED_TEST(Lapack, FiniteMeansTheLowerTriangle) {
  MatrixOf<TypeParam> matrix = MatrixOf<TypeParam>::Ones(3, 3);
  matrix(0, 2) = std::numeric_limits<TypeParam>::infinity();
  EXPECT_TRUE(lapack::lower_triangle_is_finite(matrix));
  matrix(2, 1) = std::numeric_limits<TypeParam>::quiet_NaN();
  EXPECT_FALSE(lapack::lower_triangle_is_finite(matrix));
}

TYPED_TEST(Lapack, ReciprocalConditionOfADiagonalMatrixIsExact) {
  MatrixOf<TypeParam> factor = MatrixOf<TypeParam>::Zero(2, 2);
  factor.diagonal() << 4, 1;  // of diag(16, 1)
  EXPECT_FLOAT_EQ(static_cast<float>(lapack::reciprocal_condition(factor, TypeParam(16))), 1.0f / 16);
}

}  // namespace
}  // namespace choir
