// All ridge regressions of targets on features, from one eigendecomposition of their moments. Pure
// mathematics.
//
//   const RidgeFamily family = ridge_family(total);
//   const Vector ridges = ridge_grid(family);                          // candidates for lambda
//   const Matrix weights = weights_of(family, ridges(2));              // (m + 1) x K
//
// With w-weighted means mu of psi and c of y, S = sum w (psi - mu)(psi - mu)' = U L U' and
// Z = U' sum w (psi - mu)(y - c)', the answer with ridge lambda is f(x) = c + Z'(L + lambda)^-1 U'(psi(x) -
// mu): the intercept is not penalised, so y + 100 gives f + 100. Without sample i the same regression would
// say y_i - (y_i - f(x_i)) / (1 - h_i) of it, h_i = w_i (1 / sum w + phi_i'(L + lambda)^-1 phi_i), phi_i =
// U'(psi_i - mu).
#pragma once

#include <vector>

#include "choir/learn/online_kernel/feature_sums.h"
#include "choir/linalg/types.h"

namespace choir::online_kernel {

struct RidgeFamily {
  Matrix directions;  // U: m x r, of the eigenvalues that are more than rounding
  Vector values;      // L: r, descending
  Matrix products;    // Z: r x K
  Vector mean;        // mu: m
  Vector constant;    // c: K, the best answer that does not look at the sample
  double weight = 0;  // sum of w
  double length = 1;  // mean of |psi|^2, the unit of lambda
  Vector factors;     // K: of the classes' weights, see rebalanced(); ones for values
};

inline constexpr Index ridge_candidates = 6;

// Throws Error(InvalidArgument) if nothing was learned from.
RidgeFamily ridge_family(const FeatureSums& sums);

// A family of some features as one of all m: the others get no weight.
RidgeFamily spread_over(const RidgeFamily& family, const std::vector<Index>& chosen, Index features);

// 10^-3, 10^-2 ... 10^2 times the mean squared length of psi: ridge_candidates of them.
Vector ridge_grid(const RidgeFamily& family);

// The same without the unit: of mean squared lengths.
double ridge_factor(Index candidate);

// The last row is the intercept.
Matrix weights_of(const RidgeFamily& family, double ridge);  // (m + 1) x K
// The same from the moments by one Cholesky factorisation, cheaper where only one ridge is wanted.
Matrix ridge_weights(const FeatureSums& sums, double ridge);  // (m + 1) x K
// sum w |y - f(x)|^2 of an answer over the samples that the sums are of.
double squared_loss(const FeatureSums& sums, const Matrix& weights);
// psi: m x N; N x K.
Matrix scores_of(const Matrix& weights, const Matrix& psi);

// phi: r x N.
Matrix coordinates_of(const RidgeFamily& family, const Matrix& psi);
// h: N, of samples that the family has learned from with these weights.
Vector leverages(const RidgeFamily& family, double ridge, const Matrix& coordinates, const Vector& weights);
// What the answers would have been without the sample itself: N x K.
Matrix left_out(const Matrix& scores, const Matrix& targets, const Vector& leverages);

}  // namespace choir::online_kernel
