// Which samples of a batch become atoms: those that the atoms, and the samples before them, do not explain.
#pragma once

#include <vector>

#include "choir/learn/online_kernel/jittered_cholesky.h"
#include "choir/linalg/types.h"

namespace choir::online_kernel {

struct Newcomers {
  std::vector<Index> fresh;   // ascending: places of the samples that become atoms
  Matrix weights;             // of these: their own coefficients and what they take over, x K
  Matrix for_atoms;           // A x K: what the atoms take over from samples that they explain
  JitteredCholesky cholesky;  // of the kernel matrix of atoms and fresh samples
};

// `gram`: A x A of the atoms; `cross`: A x B; `corner`: B x B of the samples; `coefficients`: B x K.
Newcomers explain(const Matrix& gram, const Matrix& cross, const Matrix& corner, const Matrix& coefficients);

}  // namespace choir::online_kernel
