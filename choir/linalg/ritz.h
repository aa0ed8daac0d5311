// The last step of every iterative eigensolver here: Rayleigh-Ritz in double precision, whatever the
// products were computed in, and the residual measured rather than estimated. Only this room uses it.
#pragma once

#include "choir/linalg/eigen.h"

namespace choir {

// The best `count` eigenpairs in the span of X (N x p, p >= count, nearly orthonormal), given A X.
// `norm` is what residuals are measured against: the largest |eigenvalue| seen. Sets values, vectors and
// residual only.
template <class Scalar>
EigenPairsOf<Scalar> rayleigh_ritz(const MatrixOf<Scalar>& x, const MatrixOf<Scalar>& ax, Index count,
                                   double norm);

// Throws Error(Numerical) if a product with the operator has a NaN or an infinity.
template <class Scalar>
void require_finite_product(const MatrixView<Scalar>& product);

// max_d ||A v_d - l_d v_d|| / norm; 0 for the zero matrix.
double eigen_residual(const Matrix& images, const Matrix& vectors, const Vector& values, double norm);

}  // namespace choir
