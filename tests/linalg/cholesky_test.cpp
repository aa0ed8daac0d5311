#include "choir/linalg/cholesky.h"

#include <limits>

#include "linalg/matrices.h"
#include "linalg/precisions.h"
#include "message_of.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

using test::message_of;
using ::testing::HasSubstr;

template <class Scalar>
class CholeskyTest : public testing::PrecisionTest<Scalar> {};
TYPED_TEST_SUITE(CholeskyTest, testing::Scalars);

TYPED_TEST(CholeskyTest, FactorsAndSolves) {
  for (const Index n : {1, 2, 30, 150}) {
    const Vector spectrum = testing::power_law(n, 1);  // condition n
    MatrixOf<TypeParam> a = testing::with_spectrum(spectrum, 5).cast<TypeParam>();
    const MatrixOf<TypeParam> b = testing::random_matrix(n, 3, 6).cast<TypeParam>();
    const MatrixOf<TypeParam> full = a;
    a.template triangularView<Eigen::StrictlyUpper>().setConstant(
        std::numeric_limits<TypeParam>::quiet_NaN());
    const auto factor = cholesky(a);
    ASSERT_TRUE(factor.positive_definite);
    EXPECT_TRUE(factor.lower.isLowerTriangular(0));
    EXPECT_LT((factor.lower * factor.lower.transpose() - full).norm(), 50 * this->epsilon);
    EXPECT_LT((full * factor.solve(b) - b).norm(), 100 * static_cast<double>(n) * this->epsilon * b.norm());
    EXPECT_LT((factor.lower * factor.solve_lower(b) - b).norm(),
              100 * static_cast<double>(n) * this->epsilon * b.norm());
  }
}

TYPED_TEST(CholeskyTest, InvertsByItsFactor) {
  for (const Index n : {1, 2, 30, 150}) {
    const MatrixOf<TypeParam> a =
        testing::with_spectrum(testing::power_law(n, 1), 5).template cast<TypeParam>();
    const MatrixOf<TypeParam> triangle = cholesky(a).inverse_lower_triangle();
    EXPECT_TRUE(triangle.isLowerTriangular(0));
    const MatrixOf<TypeParam> inverse = triangle.template selfadjointView<Eigen::Lower>();
    EXPECT_LT((a * inverse - MatrixOf<TypeParam>::Identity(n, n)).norm(),
              100 * static_cast<double>(n + 1) * this->epsilon);
  }
}

TYPED_TEST(CholeskyTest, EstimatesTheCondition) {
  MatrixOf<TypeParam> a = MatrixOf<TypeParam>::Zero(3, 3);
  a.diagonal() << 1, 100, 4;
  EXPECT_NEAR(cholesky(a).condition, 100, 100 * 100 * this->epsilon);
  EXPECT_EQ(cholesky(a, ConditionEstimate::no).condition, 0);
  EXPECT_EQ(cholesky(a, ConditionEstimate::no).lower, cholesky(a).lower);
}

TYPED_TEST(CholeskyTest, SaysWhichMinorFailsWithWhichPivot) {
  MatrixOf<TypeParam> a = MatrixOf<TypeParam>::Identity(4, 4);
  a(2, 0) = 2;  // the third pivot is 1 - 2^2
  const auto factor = cholesky(a);
  EXPECT_FALSE(factor.positive_definite);
  EXPECT_EQ(factor.lower.size(), 0);
  EXPECT_EQ(factor.failed_minor, 3);
  EXPECT_NEAR(factor.pivot, -3, 20 * this->epsilon);
  EXPECT_NEAR(factor.jitter, 1, 100 * this->epsilon);  // the eigenvalues are -1, 1, 1, 3
  EXPECT_THAT(factor.diagnosis, HasSubstr("not positive definite"));
  EXPECT_THAT(factor.diagnosis, HasSubstr("leading minor of order 3 has the pivot -3"));
  EXPECT_THAT(factor.diagnosis, HasSubstr("adding 1 to the diagonal"));
}

TYPED_TEST(CholeskyTest, ItsJitterWorksAndAMuchSmallerOneDoesNot) {
  Vector spectrum = testing::power_law(40, 0.5);
  spectrum.tail(5) << -1e-3, -1e-2, 0, 0, 0;
  const MatrixOf<TypeParam> a = testing::with_spectrum(spectrum, 7).cast<TypeParam>();
  const auto failed = cholesky(a);
  ASSERT_FALSE(failed.positive_definite);
  const auto shifted = [&](double by) -> MatrixOf<TypeParam> {
    return a + MatrixOf<TypeParam>::Identity(40, 40) * static_cast<TypeParam>(by);
  };
  EXPECT_TRUE(cholesky(shifted(failed.jitter)).positive_definite);
  EXPECT_FALSE(cholesky(shifted(0.9 * failed.jitter)).positive_definite);
}

TYPED_TEST(CholeskyTest, DiagnosesSingularMatrices) {
  const MatrixOf<TypeParam> zero = MatrixOf<TypeParam>::Zero(3, 3);
  const auto failed = cholesky(zero);
  EXPECT_EQ(failed.failed_minor, 1);
  EXPECT_EQ(failed.pivot, 0);
  EXPECT_GT(failed.jitter, 0);
  EXPECT_LT(failed.jitter, 1e-20);
}

TYPED_TEST(CholeskyTest, RefusesWhatItCannotUse) {
  MatrixOf<TypeParam> a = MatrixOf<TypeParam>::Identity(2, 2);
  const auto factor = cholesky(a);
  EXPECT_THAT(
      message_of(ErrorCategory::InvalidArgument, [&] { factor.solve(MatrixOf<TypeParam>::Ones(3, 1)); }),
      HasSubstr("right-hand side has 3 rows but the matrix has 2"));
  const auto negative = cholesky<TypeParam>(-a);
  EXPECT_THAT(message_of(ErrorCategory::Numerical, [&] { negative.solve(MatrixOf<TypeParam>::Ones(2, 1)); }),
              HasSubstr("not positive definite"));
  EXPECT_THAT(message_of(ErrorCategory::InvalidArgument,
                         [] { cholesky<TypeParam>(MatrixOf<TypeParam>::Ones(2, 3)); }),
              HasSubstr("must be square"));
  a(1, 0) = std::numeric_limits<TypeParam>::quiet_NaN();
  EXPECT_THAT(message_of(ErrorCategory::Numerical, [&] { cholesky(a); }), HasSubstr("NaN"));
}

TYPED_TEST(CholeskyTest, TakesTheEmptyMatrix) {
  EXPECT_TRUE(cholesky<TypeParam>(MatrixOf<TypeParam>(0, 0)).positive_definite);
}

}  // namespace
}  // namespace choir
