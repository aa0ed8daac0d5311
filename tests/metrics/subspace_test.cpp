#include "choir/metrics/subspace.h"

#include <cmath>
#include <numbers>

#include "graph/expect_error.h"
#include "metrics/samples.h"

#include "choir/linalg/eigen.h"

namespace choir {
namespace {

using testing::expect_error;
using testing::random_matrix;
using testing::wave_matrix;

const Matrix x = wave_matrix(8, 3, 0.5);
const Matrix y = wave_matrix(8, 3, 1.1);
const Matrix z = wave_matrix(8, 2, 2.0);

TEST(PrincipalAngles, EqualScipy) {
  const Vector equal_size = principal_angles(x, y);
  ASSERT_EQ(equal_size.size(), 3);
  EXPECT_NEAR(equal_size[0], 0.5455089325257869, 1e-13);
  EXPECT_NEAR(equal_size[1], 0.6313040361844113, 1e-13);
  EXPECT_NEAR(equal_size[2], 0.6606547178958712, 1e-13);
  const Vector smaller = principal_angles(x, z);
  ASSERT_EQ(smaller.size(), 2);
  EXPECT_NEAR(smaller[0], 1.316112017510433, 1e-13);
  EXPECT_NEAR(smaller[1], 1.4601166478262466, 1e-13);
}

TEST(PrincipalAngles, KeepTheirDigitsWhenSmall) {
  const Matrix moved = x + 1e-9 * y;
  EXPECT_NEAR(principal_angles(x, moved)[2] / 6.180682657379785e-10, 1, 1e-5);
  EXPECT_LT(principal_angles(x, x)[2], 1e-15);
}

TEST(PrincipalAngles, AreRightForAxes) {
  const Matrix axes = Matrix::Identity(5, 5);
  const Vector angles = principal_angles(axes.leftCols(2), axes.middleCols(1, 2));
  EXPECT_NEAR(angles[0], 0, 1e-15);
  EXPECT_NEAR(angles[1], std::numbers::pi / 2, 1e-15);
}

TEST(PrincipalAngles, DoNotDependOnTheBasisTheOrderOrARotation) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix v = random_matrix(10, 3, 5 * seed);
    const Matrix w = random_matrix(10, 4, 5 * seed + 1);
    const Vector angles = principal_angles(v, w);
    const Matrix mix = random_matrix(3, 3, 5 * seed + 2);
    const Matrix rotation =
        eigen_symmetric<double>(random_matrix(10, 10, 5 * seed + 3)).vectors;  // orthogonal, that is all
    EXPECT_LT((principal_angles(v * mix, w) - angles).norm(), 1e-10);
    EXPECT_LT((principal_angles(w, v) - angles).norm(), 1e-12);
    EXPECT_LT((principal_angles(rotation * v, rotation * w) - angles).norm(), 1e-12);
    const SinTheta sines = sin_theta(v, w);
    EXPECT_NEAR(sines.spectral, std::sin(angles[2]), 1e-12);
    EXPECT_NEAR(sines.frobenius, angles.array().sin().matrix().norm(), 1e-12);
    EXPECT_NEAR(smallest_cosine(v, w), std::cos(angles[2]), 1e-12);
  }
}

TEST(SubspaceError, EqualsNumpy) {
  EXPECT_NEAR(subspace_error(x, y), 0.9940889097393328, 1e-13);
  EXPECT_NEAR(smallest_cosine(x, y), 0.7895906436335354, 1e-14);
  EXPECT_GE(subspace_error(x, x), 0);
  EXPECT_LT(subspace_error(x, x), 1e-30);
}

TEST(CapturedVariance, EqualsNumpy) {
  const Matrix points = wave_matrix(8, 6, 3.0);
  const Matrix covariance = points * points.transpose() / 6;
  const auto pairs = eigen_symmetric<double>(covariance);
  EXPECT_NEAR(captured_variance(covariance, y, pairs.values), 0.427271368882929, 1e-13);
  EXPECT_NEAR(captured_variance(covariance, pairs.vectors.leftCols(3), pairs.values), 1, 1e-13);
}

TEST(CapturedVariance, IsAtMostTheBest) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix points = random_matrix(9, 30, seed);
    const Matrix covariance = points * points.transpose();
    const auto pairs = eigen_symmetric<double>(covariance);
    const Matrix v = random_matrix(9, 4, seed + 100);
    const double share = captured_variance(covariance, v, pairs.values);
    EXPECT_GT(share, 0);
    EXPECT_LT(share, 1);
    EXPECT_NEAR(captured_variance(covariance, v * random_matrix(4, 4, seed + 200), pairs.values), share,
                1e-10);
  }
}

TEST(Subspace, RefusesWhatIsNoPairOfBases) {
  expect_error(ErrorCategory::InvalidArgument, {"8 and 7 dimensions"},
               [] { principal_angles(x, wave_matrix(7, 3, 1)); });
  expect_error(ErrorCategory::InvalidArgument, {"8 x 0", "not a basis"}, [] { sin_theta(x, Matrix(8, 0)); });
  expect_error(ErrorCategory::InvalidArgument, {"2 x 3", "1 to 2"},
               [] { principal_angles(wave_matrix(2, 3, 1), wave_matrix(2, 3, 1)); });
  expect_error(ErrorCategory::InvalidArgument, {"3 and 2 directions"}, [] { subspace_error(x, z); });
  Matrix dependent = x;
  dependent.col(2) = 2 * x.col(0) - x.col(1);
  expect_error(ErrorCategory::InvalidArgument, {"column 2", "depends"},
               [&] { smallest_cosine(x, dependent); });
  dependent.col(1).setZero();
  expect_error(ErrorCategory::InvalidArgument, {"column 1", "zero"}, [&] { principal_angles(dependent, y); });
}

TEST(CapturedVariance, RefusesWhatDoesNotFit) {
  const Matrix covariance = Matrix::Identity(8, 8);
  expect_error(ErrorCategory::InvalidArgument, {"7 x 7", "8 entries"},
               [] { captured_variance(Matrix::Identity(7, 7), x, Vector::Ones(7)); });
  expect_error(ErrorCategory::InvalidArgument, {"2 eigenvalues", "3 directions"},
               [&] { captured_variance(covariance, x, Vector::Ones(2)); });
  expect_error(ErrorCategory::InvalidArgument, {"do not vary"},
               [&] { captured_variance(covariance, x, Vector::Zero(3)); });
}

}  // namespace
}  // namespace choir
