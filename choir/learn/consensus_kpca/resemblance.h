// Whether samples resemble each other at all. With a gamma that is far too large the kernel matrix is the
// identity, every direction explains the same, and components mean nothing.
//
//   co_await require_resemblance(node, sums, kernel, own.matrix(), gram);
#pragma once

#include "choir/kernel/kernel.h"
#include "choir/linalg/types.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir::consensus_kpca {

// The sum over pairs of different samples of k(x, y) / sqrt(k(x, x) k(y, y)), and the number of pairs.
struct Resemblance {
  double sum = 0;
  double pairs = 0;
};
Resemblance resemblance_of(const Matrix& gram);

// Whether K is the identity but for a millionth.
bool is_identity(const Kernel& kernel, const Resemblance& resemblance);

// `gram`: N_j x N_j, of the node's own samples, not centred; pairs of the same node, of all nodes, decide;
// their sums are masked. Throws Error(InvalidArgument) with the gamma that the median distance suggests.
Task<void> require_resemblance(Node& node, SecureSums& sums, Kernel kernel, SamplesMap own,
                               const Matrix& gram);

}  // namespace choir::consensus_kpca
