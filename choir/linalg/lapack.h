// The few LAPACK routines choir calls, for float and double, on Eigen's matrices. Only this room uses it.
//
//   VectorOf<double> values;
//   if (!lapack::eigen_symmetric(matrix, values)) ...        // matrix now holds the eigenvectors
//
// The "_work" entry points are used: the others scan for NaN on every call and read the environment.
#pragma once

#include "choir/linalg/types.h"

namespace choir::lapack {

enum class EigenDriver {
  by_size,             // the faster one, see lapack.cpp
  divide_and_conquer,  // syevd
  relatively_robust,   // syevr: the one whose workspace is linear in n
};

// LAPACK may hang or crash on anything else.
template <class Scalar>
bool lower_triangle_is_finite(const MatrixOf<Scalar>& matrix);

// Eigenvalues ascending; reads the lower triangle and leaves the eigenvectors. False if LAPACK gives up.
template <class Scalar>
bool eigen_symmetric(MatrixOf<Scalar>& matrix, VectorOf<Scalar>& values,
                     EigenDriver driver = EigenDriver::by_size);

// Householder QR of an m x n matrix, m >= n: R above the diagonal, reflectors below; then Q in their place.
template <class Scalar>
void householder_qr(MatrixOf<Scalar>& matrix, VectorOf<Scalar>& reflectors);
template <class Scalar>
void form_q(MatrixOf<Scalar>& matrix, const VectorOf<Scalar>& reflectors);

// Singular values, descending, of an m x n matrix, which is overwritten; U (m x k) and V' (k x n), k = min(m,
// n), if asked for. False if LAPACK gives up.
struct SingularVectors {
  Matrix u, v_transposed;
};
bool svd(Matrix& matrix, Vector& values, SingularVectors* vectors);

// Lower Cholesky factor in place; 0, or the order of the first leading minor that is not positive.
template <class Scalar>
Index cholesky(MatrixOf<Scalar>& matrix);
// A^-1 from the lower factor, in its place; the lower triangle only.
template <class Scalar>
void inverse_of_factor(MatrixOf<Scalar>& factor);
// Estimate of 1 / (||A||_1 ||A^-1||_1) from the lower factor and ||A||_1.
template <class Scalar>
Scalar reciprocal_condition(const MatrixOf<Scalar>& factor, Scalar norm);

}  // namespace choir::lapack
