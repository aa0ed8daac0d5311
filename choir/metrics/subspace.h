// Two subspaces of the same space: how far apart they are.
//
//   const Vector angles = principal_angles(v, w);        // any bases, M x D_v and M x D_w
//   const SinTheta distance = sin_theta(v, w);           // 0: one contains the other
//   subspace_error(v, w);                                // D - ||V'W||_F^2 for orthonormal V, W
//
// Bases need not be orthonormal, only independent: each is put through a thin QR first. All functions throw
// Error(InvalidArgument) if the spaces differ, a basis is empty, or its columns depend on each other.
#pragma once

#include "choir/linalg/types.h"

namespace choir {

// min(D_v, D_w) angles in radians, ascending. Small ones come from sines, so they are accurate too.
Vector principal_angles(const MatrixView<double>& v, const MatrixView<double>& w);

struct SinTheta {
  double spectral = 0;   // sine of the largest angle
  double frobenius = 0;  // root of the sum of the squared sines
};
SinTheta sin_theta(const MatrixView<double>& v, const MatrixView<double>& w);

// The sum of the squared sines, D - ||V'W||_F^2 for two orthonormal bases of D columns, without its
// cancellation. Throws also if the dimensions differ.
double subspace_error(const MatrixView<double>& v, const MatrixView<double>& w);

// Of the largest angle: 1 if one contains the other, 0 if some direction is missed entirely.
double smallest_cosine(const MatrixView<double>& v, const MatrixView<double>& w);

// The variance within the span of the D columns, tr V'CV for an orthonormal V, as a share of the best that D
// directions can do. eigenvalues: the leading D or more of the covariance (M x M), descending.
double captured_variance(const Matrix& covariance, const MatrixView<double>& v,
                         const VectorView<double>& eigenvalues);

// What D directions can capture at best. Throws Error(InvalidArgument) if fewer eigenvalues are given, or
// there is no variance at all.
double best_variance(const VectorView<double>& eigenvalues, Index directions);

}  // namespace choir
