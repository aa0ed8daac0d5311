// The Cholesky factor of a kernel matrix that may be singular: K + jitter I.
//
//   const auto factor = online_kernel::jittered_cholesky(Matrix::Ones(3, 3));
//   factor.jitter;                             // 1e-8
#pragma once

#include "choir/learn/online_kernel/kernel_inverse.h"
#include "choir/linalg/cholesky.h"
#include "choir/linalg/types.h"

namespace choir::online_kernel {

struct JitteredCholesky {
  Cholesky factor;
  double jitter = 0;  // that was added
};

// The jitter is raised tenfold until there is a factor, up to the largest entry of the diagonal. Throws
// Error(Numerical) if even that is too little: no kernel matrix is so far from being one.
JitteredCholesky jittered_cholesky(const Matrix& gram, double jitter = default_jitter);

}  // namespace choir::online_kernel
