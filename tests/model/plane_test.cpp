#include "choir/model/plane.h"

#include "model/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(Plane, SplitsABlockIntoCoordinatesAndTheRest) {
  const Matrix directions = fit_pca(normal_samples(5, 20, 1), 2).components;
  const Vector mean = normal_samples(5, 1, 2);
  const Matrix block = normal_samples(5, 7, 3);
  const Matrix coordinates = plane_coordinates(mean, directions, block, 1);
  EXPECT_LT(largest(coordinates - (block.colwise() - mean).transpose() * directions), 1e-14);
  const Matrix nearest = plane_points(mean, directions, coordinates, 1);
  EXPECT_LT(largest(directions.transpose() * (block - nearest)), 1e-14);
  const Vector distances = plane_distances(mean, directions, block, 1);
  EXPECT_LT(largest(distances - (block - nearest).colwise().squaredNorm().transpose()), 1e-13);
  EXPECT_LT(plane_distances(mean, directions, nearest, 1).maxCoeff(), 1e-28);
}

TEST(Plane, NothingGivesNothing) {
  const Vector mean = Vector::Zero(3);
  const Matrix directions = Matrix::Identity(3, 2);
  EXPECT_EQ(plane_coordinates(mean, directions, Matrix(3, 0), 1).rows(), 0);
  EXPECT_EQ(plane_distances(mean, directions, Matrix(3, 0), 1).size(), 0);
  EXPECT_EQ(plane_points(mean, directions, Matrix(0, 2), 1).cols(), 0);
}

}  // namespace
}  // namespace choir
