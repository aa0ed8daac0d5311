#include "choir/linalg/pseudo_inverse.h"

#include <limits>

#include "linalg/matrices.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

template <class Scalar>
class PseudoInverse : public ::testing::Test {
 protected:
  static constexpr double tolerance = 2000.0 * std::numeric_limits<Scalar>::epsilon();
};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(PseudoInverse, Scalars);

// Phi is M x N with M < N, so K = Phi'Phi is singular: everything has a truth in the space of Phi.
TYPED_TEST(PseudoInverse, WorksInTheSpanOfSingularData) {
  const Matrix phi = testing::random_matrix(6, 20, 11);
  const MatrixOf<TypeParam> gram = (phi.transpose() * phi).cast<TypeParam>();
  const auto basis = pseudo_inverse_basis<TypeParam>(gram, 1e-5);
  ASSERT_EQ(basis.rank(), 6);
  EXPECT_LT(testing::orthonormality_error(basis.V), this->tolerance);
  EXPECT_TRUE(std::is_sorted(basis.L.begin(), basis.L.end(), std::greater<>()));

  const Matrix z = testing::random_matrix(6, 3, 12);  // span Phi is all of R^6, so z is its own projection
  const MatrixOf<TypeParam> y = (phi.transpose() * z).cast<TypeParam>();
  const MatrixOf<TypeParam> coordinates = basis.coords(y);
  const Matrix products = (coordinates.transpose() * coordinates).template cast<double>();
  EXPECT_LT((products - z.transpose() * z).norm(), this->tolerance * z.squaredNorm());
  const Matrix lifted = phi * basis.lift(coordinates).template cast<double>();
  EXPECT_LT((lifted - z).norm(), this->tolerance * z.norm());
  // K K^+ K = K
  EXPECT_LT((gram * basis.lift(basis.coords(gram)) - gram).norm(), this->tolerance * gram.norm());
}

TYPED_TEST(PseudoInverse, KeepsOnlyWhatIsAboveTheCutoff) {
  Vector spectrum(5);
  spectrum << 2, 1, 1e-3, -0.5, 0;
  const MatrixOf<TypeParam> matrix = testing::with_spectrum(spectrum, 13).cast<TypeParam>();
  EXPECT_EQ(pseudo_inverse_basis<TypeParam>(matrix, 4e-4).rank(), 3);
  EXPECT_EQ(pseudo_inverse_basis<TypeParam>(matrix, 6e-4).rank(), 2);
  EXPECT_EQ(pseudo_inverse_basis<TypeParam>(matrix, 0.6).rank(), 1);
}

TYPED_TEST(PseudoInverse, HasRankZeroWithoutAPositiveEigenvalue) {
  for (const double value : {0.0, -1.0}) {
    const auto basis =
        pseudo_inverse_basis<TypeParam>(MatrixOf<TypeParam>::Identity(3, 3) * TypeParam(value));
    EXPECT_EQ(basis.rank(), 0);
    EXPECT_EQ(basis.coords(MatrixOf<TypeParam>::Ones(3, 2)).size(), 0);
    EXPECT_EQ(basis.lift(MatrixOf<TypeParam>(0, 2)), (MatrixOf<TypeParam>::Zero(3, 2)));
  }
}

TYPED_TEST(PseudoInverse, RefusesACutoffOutOfRangeAndWrongSizes) {
  const MatrixOf<TypeParam> identity = MatrixOf<TypeParam>::Identity(2, 2);
  for (const double cutoff : {-1e-3, 1.0, std::numeric_limits<double>::quiet_NaN()}) {
    try {
      pseudo_inverse_basis<TypeParam>(identity, cutoff);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.category(), ErrorCategory::InvalidArgument);
      EXPECT_THAT(error.what(), ::testing::HasSubstr("rank cutoff"));
    }
  }
  const auto basis = pseudo_inverse_basis<TypeParam>(identity);
  EXPECT_THROW(basis.coords(MatrixOf<TypeParam>::Ones(3, 1)), Error);
  EXPECT_THROW(basis.lift(MatrixOf<TypeParam>::Ones(1, 1)), Error);
}

}  // namespace
}  // namespace choir
