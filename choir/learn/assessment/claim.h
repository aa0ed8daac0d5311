// How similar an answer over shared features is to the central one, as far as the features can tell. Two
// estimates, and the smaller counts; README.md has the figures that this choice rests on.
//
//   const Vector halves = claims_from_subspace(answer, other);      // from a random half of the landmarks
//   const ResidualSums sums = residual_sums(scores, rest);          // of a node; added up over the nodes
//   const Vector residual = claims_from_residual(answer, residual_gram(sums));
#pragma once

#include "choir/learn/assessment/separation.h"
#include "choir/linalg/types.h"

namespace choir {

// Directions in orthonormal features, the first `kept` of them the answer; the others guard it: they show
// whether its last component is separated.
struct GuardedAnswer {
  Matrix directions;  // m x G, orthonormal
  Vector variances;   // G, descending
  Index kept = 0;     // D <= G
};

// Per component, the smallest cosine between its group in the answer and the same group of another answer (m
// x G). Where all landmarks and half of them find the same, more would find no other.
Vector claims_from_subspace(const GuardedAnswer& answer, const Matrix& other);

// The same for answers that are only known by their scores: correlations instead of cosines. `products`: G x
// G, the covariance of the two answers' scores.
Vector claims_from_scores(const GuardedAnswer& answer, const Matrix& products, const Vector& other_variances);

// What the features miss: r(x) = (I - P) phi(x), P the projection on their span. C u - l u has no other part
// than sum_i s_i r_i / N for an answer that is an eigenvector within the span. Its length needs <r_i, r_j> of
// all pairs; pairs of the same node stand for them.
struct ResidualSums {
  Matrix pairs;  // G x G: sum over pairs i != j of s_i s_j' <r_i, r_j>
  Matrix own;    // G x G: the same for i = j
  double pair_count = 0;
  double samples = 0;
  double peaks = 0;  // sum of <r_i, r_i>^8, from which the largest of them follows

  // G + 3 x 2 G: numbers of very different size have rows of their own, which masked sums round apart.
  Matrix packed() const;
  static ResidualSums unpacked(const Matrix& all);
};
// scores: N x G, of the centred features; rest: N x N, <r_i, r_j> = k(x_i, x_j) - psi_i'psi_j.
ResidualSums residual_sums(const Matrix& scores, const Matrix& rest);
// G x G: <v_a, v_b> of v_a = sum_i s_ia r_i / N over all samples of the network.
Matrix residual_gram(const ResidualSums& all);

double peaks_of(const Vector& lengths);  // of <r_i, r_i>
// A variance that some direction outside the span has: that of the sample which is missed most, alone.
double missed_variance(const ResidualSums& all);

// The share of the central components' variance that the kept ones capture: to second order the missing part
// adds the eigenvalues of gram / l to theirs; `missed` as below.
double captured_share(const GuardedAnswer& answer, const Matrix& gram, double missed = 0);

// Per component: what tilts it out of the span (v / l), times what the missing part turns within it, to
// second order. l is its variance less `missed`: of components with less there is one outside the span, and
// nothing is claimed for those within.
Vector claims_from_residual(const GuardedAnswer& answer, const Matrix& gram, double missed = 0);

}  // namespace choir
