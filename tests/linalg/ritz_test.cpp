#include "choir/linalg/ritz.h"

#include <limits>

#include "linalg/matrices.h"
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/linalg/svd.h"

namespace choir {
namespace {

template <class Scalar>
class RayleighRitz : public ::testing::Test {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(RayleighRitz, Scalars);

TYPED_TEST(RayleighRitz, RecoversEigenpairsFromANonOrthonormalBasis) {
  const double epsilon = static_cast<double>(std::numeric_limits<TypeParam>::epsilon());
  const Vector spectrum = testing::power_law(60, 1);
  const Matrix a = testing::with_spectrum(spectrum, 1);
  const auto truth = eigen_symmetric<double>(a);
  const Matrix mixing = testing::random_matrix(5, 5, 2);
  const Vector stretches = singular_values(mixing);
  const double condition = stretches(0) / stretches(4);  // what rounding in the basis is multiplied by
  const Matrix mixed = truth.vectors.leftCols(5) * mixing;
  const auto pairs = rayleigh_ritz<TypeParam>(mixed.cast<TypeParam>(), (a * mixed).cast<TypeParam>(), 3, 1);
  EXPECT_LT((pairs.values.template cast<double>() - spectrum.head(3)).cwiseAbs().maxCoeff(),
            10 * condition * epsilon);
  EXPECT_LT((pairs.vectors.template cast<double>() - truth.vectors.leftCols(3)).norm(), 200 * epsilon);
  EXPECT_LT(pairs.residual, 200 * epsilon);
}

TEST(EigenResidual, IsTheLargestRelativeToTheNorm) {
  const Matrix vectors = Matrix::Identity(3, 2);
  Matrix images = Matrix::Zero(3, 2);
  images(0, 0) = 4;
  images(1, 1) = 2;
  images(2, 1) = 0.5;
  EXPECT_DOUBLE_EQ(eigen_residual(images, vectors, Vector(Eigen::Vector2d(4, 2)), 4), 0.125);
  EXPECT_EQ(eigen_residual(Matrix::Zero(3, 2), vectors, Vector::Zero(2), 0), 0);
}

TYPED_TEST(RayleighRitz, ProductsMustBeFinite) {
  MatrixOf<TypeParam> product = MatrixOf<TypeParam>::Ones(2, 2);
  EXPECT_NO_THROW(require_finite_product<TypeParam>(product));
  product(1, 0) = std::numeric_limits<TypeParam>::infinity();
  EXPECT_THROW(require_finite_product<TypeParam>(product), Error);
}

}  // namespace
}  // namespace choir
