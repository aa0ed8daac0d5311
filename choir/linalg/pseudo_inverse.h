// The basis in which a singular kernel matrix has an inverse: K = V L V', eigenvalues that matter only.
// A centred kernel matrix is always singular, so this stands where K^-1 would.
//
//   const auto basis = pseudo_inverse_basis<double>(gram, 1e-8);
//   Matrix b = basis.coords(y);             // y = Phi'z  ->  coordinates of z projected on span Phi
//   Matrix alpha = basis.lift(b);           // coordinates -> expansion coefficients
//
// lift(coords(y)) = K^+ y, and coords(K alpha) are the coordinates of Phi alpha: of length sqrt(alpha'K
// alpha).
#pragma once

#include "choir/linalg/types.h"

namespace choir {

template <class Scalar>
struct PseudoInverseBasisOf {
  MatrixOf<Scalar> V;  // N x r, orthonormal columns
  VectorOf<Scalar> L;  // r, descending, all above cutoff * L_max of the matrix

  Index rank() const { return L.size(); }
  MatrixOf<Scalar> coords(const MatrixView<Scalar>& y) const;  // L^-1/2 V'y: r x columns of y
  MatrixOf<Scalar> lift(const MatrixView<Scalar>& v) const;    // V L^-1/2 v: N x columns of v
};
using PseudoInverseBasis = PseudoInverseBasisOf<double>;

// Keeps eigenvalues above cutoff * the largest; only the lower triangle of K is read. A matrix without a
// positive eigenvalue has rank 0. Throws Error(InvalidArgument) unless 0 <= cutoff < 1, and what
// eigen_symmetric throws.
template <class Scalar>
PseudoInverseBasisOf<Scalar> pseudo_inverse_basis(MatrixOf<Scalar> matrix, double cutoff = 1e-8);

}  // namespace choir
