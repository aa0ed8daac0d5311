// Thin QR: an orthonormal basis of a tall matrix's columns.
//
//   auto [q, r] = thin_qr<double>(a);        // a = q r;  m x n = (m x n)(n x n)
#pragma once

#include "choir/linalg/types.h"

namespace choir {

template <class Scalar>
struct ThinQrOf {
  MatrixOf<Scalar> q;  // m x n, orthonormal columns
  MatrixOf<Scalar> r;  // n x n, upper triangular, non-negative diagonal: unique if a has full rank
};
using ThinQr = ThinQrOf<double>;

// Householder QR of an m x n matrix, m >= n. A column that depends on those before it has r_jj = 0 up to
// rounding; its q_j is then some unit vector orthogonal to the others, so q is orthonormal and a = q r for
// any rank. Throws Error(InvalidArgument) if m < n, Error(Numerical) if a has a NaN or an infinity.
template <class Scalar>
ThinQrOf<Scalar> thin_qr(MatrixOf<Scalar> a);

}  // namespace choir
