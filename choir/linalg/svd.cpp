#include "choir/linalg/svd.h"

#include <utility>

#include "choir/base/error.h"
#include "choir/linalg/lapack.h"

namespace choir {
namespace {

Vector decompose(Matrix& matrix, lapack::SingularVectors* vectors) {
  const Index m = matrix.rows(), n = matrix.cols();
  if (!matrix.allFinite())
    fail(ErrorCategory::Numerical, "the {} x {} matrix has a NaN or an infinity; it has no singular values",
         m, n);
  Vector values;
  if (!lapack::svd(matrix, values, vectors))
    fail(ErrorCategory::Numerical, "LAPACK found no singular values of a {} x {} matrix", m, n);
  return values;
}

}  // namespace

Svd svd(Matrix matrix) {
  lapack::SingularVectors vectors;
  Svd result;
  result.values = decompose(matrix, &vectors);
  result.u = std::move(vectors.u);
  result.v = vectors.v_transposed.transpose();
  return result;
}

Vector singular_values(Matrix matrix) { return decompose(matrix, nullptr); }

}  // namespace choir
