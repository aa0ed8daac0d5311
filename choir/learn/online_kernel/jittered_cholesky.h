// The Cholesky factor of a kernel matrix that may be singular: K + jitter I.
#pragma once

#include "choir/linalg/cholesky.h"
#include "choir/linalg/types.h"

namespace choir::online_kernel {

inline constexpr double default_jitter = 1e-8;

struct JitteredCholesky {
  Cholesky factor;
  double jitter = 0;  // that was added
};

// The jitter is raised tenfold until there is a factor, up to the largest entry of the diagonal. Throws
// Error(Numerical) if even that is too little: no kernel matrix is so far from being one.
JitteredCholesky jittered_cholesky(const Matrix& gram, double jitter = default_jitter);

}  // namespace choir::online_kernel
