// Singular value decomposition of a small matrix.
//
//   const Svd parts = svd(matrix);                     // matrix = parts.u diag(parts.values) parts.v'
//   const Vector cosines = singular_values(matrix);    // the values alone, cheaper
#pragma once

#include "choir/linalg/types.h"

namespace choir {

// k = min(m, n) of an m x n matrix.
struct Svd {
  Matrix u;       // m x k
  Vector values;  // descending
  Matrix v;       // n x k
};

// Both throw Error(Numerical) if the matrix has a NaN or an infinity.
Svd svd(Matrix matrix);
Vector singular_values(Matrix matrix);

}  // namespace choir
