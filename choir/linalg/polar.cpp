#include "choir/linalg/polar.h"

#include "choir/base/error.h"
#include "choir/linalg/eigen.h"
#include "choir/linalg/svd.h"

namespace choir {

Matrix polar_factor(const Matrix& matrix) {
  if (matrix.rows() != matrix.cols())
    fail(ErrorCategory::InvalidArgument, "a {} x {} matrix has no polar factor here; it must be square",
         matrix.rows(), matrix.cols());
  const Svd parts = svd(matrix);
  return parts.u * parts.v.transpose();
}

Matrix inverse_square_root(const Matrix& matrix, double floor) {
  const EigenPairs pairs = eigen_symmetric<double>(matrix);
  if (pairs.values.size() == 0 || !(pairs.values(0) > 0)) return Matrix::Zero(matrix.rows(), matrix.cols());
  const Vector scales = pairs.values.cwiseMax(floor * pairs.values(0)).cwiseSqrt().cwiseInverse();
  return pairs.vectors * scales.asDiagonal() * pairs.vectors.transpose();
}

}  // namespace choir
