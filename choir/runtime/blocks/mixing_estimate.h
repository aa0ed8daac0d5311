// How the second eigenvalue of W is read off from what the nodes have seen.
//
//   const double l = krylov_estimate(moments);          // m_k = v' T_k(W) v, k = 0 .. 2 r - 1
//
// Lanczos needs two sums over the network in every step. The same Ritz values follow from the moments of
// Chebyshev polynomials T_k, whose terms the nodes compute on their own (T_i T_j = (T_{i+j} + T_{|i-j|}) / 2,
// so r rounds give 2 r moments), and one sum of all of them at the end.
#pragma once

#include "choir/linalg/types.h"

namespace choir {

// The largest modulus of a Ritz value of W in the span of T_0(W) v .. T_{r-1}(W) v, from 2 r moments.
// Directions that are mostly rounding are left out. Zero if v is.
double krylov_estimate(const Vector& chebyshev_moments);

}  // namespace choir
