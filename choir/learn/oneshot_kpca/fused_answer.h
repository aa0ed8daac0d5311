// The leading components of a fused kernel matrix.
//
//   const FusedAnswer answer = leading_components(fused, {.count = 10}, solver);
//   answer.spectrum;                               // guard columns included: shows which are separated
#pragma once

#include <optional>
#include <vector>

#include "choir/kernel/centring.h"
#include "choir/learn/components.h"
#include "choir/learn/oneshot_kpca/fused_kernel.h"

namespace choir::oneshot_kpca {

struct FusedAnswer {
  Matrix vectors;      // T x D, eigenvectors of the centred kernel matrix
  Vector eigenvalues;  // D
  Vector spectrum;     // D and up to `guard_columns` more: the gap of Theorem 1, and who is separated
  double trace = 0;
  std::optional<double> most_negative = {};  // eigenvalue, 0 if there is none; of kernels that may have one
  Centring centring;                         // of the kernel matrix; empty if the parties have centred
  bool converged = true;
  double residual = 0;

  double next() const;  // the eigenvalue after those kept; 0 if there is none
};

// Eigenpairs that are computed beyond those kept.
constexpr Index guard_columns = 5;

// Components have positive eigenvalues, those of an indefinite kernel too.
// Throws Error(InvalidArgument) for more components than there are, and says whether more vectors would help.
FusedAnswer leading_components(const FusedKernel& fused, const ComponentChoice& components,
                               const FactorSize& solver);

// The leading `count` eigenvectors alone, or as many as there are.
Matrix leading_vectors(const FusedKernel& fused, Index count, const FactorSize& solver);

// Theorem 1: a bound of ||sin Theta(V, V^)||_F; infinite where it says nothing (no gap).
double sin_theta_bound(const Kernel& kernel, const std::vector<KernelFactor>& factors,
                       const FusedAnswer& answer);

}  // namespace choir::oneshot_kpca
