// P = (K + jitter I)^-1 of a kernel matrix that grows and shrinks by a few rows at a time. A factor from
// nothing costs A^3 in every round; appending and removing r atoms costs r A^2, in products of matrices.
//
//   KernelInverse inverse;
//   cover(inverse, gram);                     // P of this matrix, from what was known of its first rows
//   const Matrix q = inverse.values * cross;  // P k_D(x)
//
// Rounding adds up over many changes, the more the worse the matrix is conditioned. cover() looks at one
// column of K P, and computes P anew if that is no longer a column of the identity.
#pragma once

#include "choir/learn/online_kernel/jittered_cholesky.h"
#include "choir/linalg/types.h"

namespace choir::online_kernel {

struct KernelInverse {
  Matrix values = {};  // A x A, both triangles
  double jitter = default_jitter;

  Index size() const { return values.rows(); }
};

// From nothing. Throws Error(Numerical) as jittered_cholesky() does.
KernelInverse inverse_of(const Matrix& gram, double jitter = default_jitter);

// Of `gram`, whose leading rows and columns the inverse has been of.
void cover(KernelInverse& inverse, const Matrix& gram);

// Of [K k; k' c]: `images` = P k, A x r; `lower`: r x r with L L' = c + jitter I - k'P k.
void extend(KernelInverse& inverse, const Matrix& images, const Matrix& lower);

// max |K P e - e| for the last unit vector e, the jitter included.
double drift(const KernelInverse& inverse, const Matrix& gram);

}  // namespace choir::online_kernel
