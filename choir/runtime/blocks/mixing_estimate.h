// How the second eigenvalue of W is read off from what the nodes have seen.
//
//   const double l = krylov_estimate(moments);          // m_k = v' T_k(W) v, k = 0 .. 2 r - 1
//
// Lanczos needs two sums over the network in every step. The same Ritz values follow from the moments of
// Chebyshev polynomials T_k, whose terms the nodes compute on their own (T_i T_j = (T_{i+j} + T_{i-j}) / 2,
// so r rounds give 2 r moments), and one sum of all of them at the end.
#pragma once

#include <vector>

#include "choir/base/types.h"

namespace choir {

// The Jacobi matrix of a measure on [-1, 1].
struct JacobiMatrix {
  std::vector<double> diagonal;
  std::vector<double> squared_off_diagonal;  // one less
};

// By the modified Chebyshev algorithm (Wheeler 1974); shorter than asked for if the measure has so few points
// that the rest would be rounding.
JacobiMatrix jacobi_matrix(const std::vector<double>& chebyshev_moments);

// The eigenvalue of largest modulus, by bisection.
double spectral_radius(const JacobiMatrix& matrix);

// Zero if the moments are those of nothing.
double krylov_estimate(const std::vector<double>& chebyshev_moments);

}  // namespace choir
