// Kernel orthogonal matching pursuit, destructive: atoms whose removal changes the function least go, as long
// as all that went changed it by no more than epsilon in the Hilbert norm.
//
//   const Pursuit kept = prune(gram, weights, {.epsilon = 0.1, .most = 300});
//   kept.atoms;                  // places of those that stay, ascending
#pragma once

#include <limits>
#include <vector>

#include "choir/learn/online_kernel/kernel_inverse.h"
#include "choir/linalg/types.h"

namespace choir::online_kernel {

struct PruneRule {
  double epsilon = 0;
  Index most = std::numeric_limits<Index>::max();  // above it atoms go whatever epsilon says
  double jitter = default_jitter;                  // added to the diagonal
  Index spare = 0;                                 // so many more go then, to make room for some rounds
  bool screens = false;  // samples that would be removed at once do not become atoms (Expansion's add)
};

struct Pursuit {
  std::vector<Index> atoms;  // ascending
  Matrix weights;            // of these, re-fitted
  Matrix inverse;            // P of these
  double error = 0;          // Hilbert norm of what was lost, over all columns of the weights together
};

// P = (K + jitter I)^-1 once, then O(M^2 + M K) a removal:
//   gamma_j^2 = e2 + |W_j|^2 / P_jj; j = argmin; W -= P_:j W_j / P_jj; P -= P_:j P_j: / P_jj.
// P is changed by a block of removals at a time, by one product of matrices.
// `gram`: M x M, symmetric. Throws Error(Numerical) if it is not positive definite even with more jitter.
Pursuit prune(const Matrix& gram, const Matrix& weights, const PruneRule& rule);
// The same where P is known already; the rule's jitter does not count then. `diagonal`: of K.
Pursuit prune(const KernelInverse& inverse, const Vector& diagonal, const Matrix& weights,
              const PruneRule& rule);

// |W_j|^2 / P_jj of each atom: what its removal alone adds to the squared error.
Vector removal_costs(const KernelInverse& inverse, const Matrix& weights);

}  // namespace choir::online_kernel
