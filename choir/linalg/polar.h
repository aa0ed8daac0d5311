// Nearest orthogonal matrices.
//
//   const Matrix turn = polar_factor(own.transpose() * reference);   // own * turn is closest to reference
//   z *= inverse_square_root(z.transpose() * z);                     // the orthonormal columns closest to z
#pragma once

#include "choir/linalg/types.h"

namespace choir {

// U V' of the square matrix U S V'. Throws Error(InvalidArgument) if it is not square.
Matrix polar_factor(const Matrix& matrix);

// A^-1/2 of a symmetric positive semidefinite matrix, its eigenvalues floored at `floor` times the largest;
// of the zero matrix: zero.
Matrix inverse_square_root(const Matrix& matrix, double floor = 1e-14);

}  // namespace choir
