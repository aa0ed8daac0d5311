// Directions in a kernel's feature space, compared through Gram matrices: w = sum_i a_i phi(x_i) is known by
// its coefficients a and its points, and w'w* = a' K(X, Y) b.
//
//   const GramBlocks blocks{.a = k_xx, .ab = k_xy, .b = k_yy};
//   direction_similarity(blocks, a, b)              // |cos| between a's and b's d-th directions, for each d
//   feature_space_angles(blocks, a, b)              // principal angles between what they span
//
// All blocks belong to one kernel and one centring. All functions throw Error(InvalidArgument) if sizes do
// not match, are zero, or a direction has no length (or, for angles, depends on the others).
#pragma once

#include "choir/linalg/types.h"

namespace choir {

struct GramBlocks {
  const Matrix& a;   // N_a x N_a
  const Matrix& ab;  // N_a x N_b
  const Matrix& b;   // N_b x N_b
};

// |<w_d, w*_d>| / (||w_d|| ||w*_d||) for each of the D columns. a is N_a x D, b is N_b x D.
Vector direction_similarity(const GramBlocks& blocks, const MatrixView<double>& a,
                            const MatrixView<double>& b);

// Cosines of the principal angles between the spans of the columns, min(D_a, D_b) of them, descending.
Vector feature_space_cosines(const GramBlocks& blocks, const MatrixView<double>& a,
                             const MatrixView<double>& b);

// The angles, ascending, in radians. Gram matrices hold no more than half of the digits of a small angle:
// below 1e-7 an angle cannot be told from zero.
Vector feature_space_angles(const GramBlocks& blocks, const MatrixView<double>& a,
                            const MatrixView<double>& b);

// The variance within the span of the D directions of a, as a share of the best that D directions can do.
// gram is the centred Gram matrix of the samples, eigenvalues its leading D or more, descending.
double feature_space_captured_variance(const Matrix& gram, const MatrixView<double>& a,
                                       const VectorView<double>& eigenvalues);

}  // namespace choir
