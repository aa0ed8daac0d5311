// Which samples of a batch become atoms: those that the atoms, and the samples before them, do not explain,
// or that weigh too much to be approximated.
#pragma once

#include <vector>

#include "choir/learn/online_kernel/kernel_inverse.h"
#include "choir/linalg/types.h"

namespace choir::online_kernel {

struct Newcomers {
  std::vector<Index> fresh;  // ascending: places of the samples that become atoms
  Matrix weights;            // of these: their own coefficients and what they take over, x K
  Matrix for_atoms;          // A x K: what the atoms take over from samples that they explain
  Matrix images;             // A x (fresh): P k_D of these
  Matrix lower;              // of the fresh ones: the Cholesky factor that extend() wants
  double squared_error = 0;  // of what was approximated, as far as it was not explained
};

// `inverse`: of the atoms; `cross`: A x B; `corner`: B x B of the samples; `coefficients`: B x K. A sample is
// approximated if that changes the function by no more than the root of `allowance`.
Newcomers explain(const KernelInverse& inverse, const Matrix& cross, const Matrix& corner,
                  const Matrix& coefficients, double allowance = 0);

}  // namespace choir::online_kernel
