#include "choir/model/plane.h"

#include "choir/model/chunks.h"

namespace choir {

Matrix plane_coordinates(const Vector& mean, const Matrix& directions, Matrix block, int threads) {
  block.colwise() -= mean;
  return multiply(directions.transpose(), block, threads).transpose();
}

Vector plane_distances(const Vector& mean, const Matrix& directions, Matrix block, int threads) {
  // The length of what is left over, rather than the difference of two lengths: small errors keep their
  // digits, and none is negative.
  block.colwise() -= mean;
  block -= multiply(directions, multiply(directions.transpose(), block, threads), threads);
  return block.colwise().squaredNorm();
}

Matrix plane_points(const Vector& mean, const Matrix& directions, const Matrix& coordinates, int threads) {
  Matrix points = multiply(directions, coordinates.transpose(), threads);
  points.colwise() += mean;
  return points;
}

}  // namespace choir
