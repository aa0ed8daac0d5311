// The kernel matrix of all features, from the parties' factors: tiles of the lower triangle only.
//
//   // sum (linear) or Hadamard product (rbf):
//   const FusedKernel fused = fuse_products(kernel, factors, threads);
//   // any kernel of distance or inner product:
//   const FusedKernel fused = fuse_distances(kernel, factors, threads);
//   const FusedAnswer answer = leading_components(fused, 10, ...);
#pragma once

#include <vector>

#include "choir/kernel/bandwidth.h"
#include "choir/kernel/centring.h"
#include "choir/kernel/gram.h"
#include "choir/learn/components.h"
#include "choir/learn/oneshot_kpca/factors.h"

namespace choir::oneshot_kpca {

struct FusedKernel {
  TriangularGram<double> matrix;  // T x T, not centred
  double trace = 0;               // of all features' own, what the factors leave out included
  bool centred = false;           // linear product: the parties have centred
  Matrix columns = {};            // any x T: what the parties sent, for the search to begin from
};

FusedKernel fuse_products(const Kernel& kernel, const std::vector<KernelFactor>& factors,
                          const GramOptions& options = {});
FusedKernel fuse_distances(const Kernel& kernel, const std::vector<DistanceFactor>& factors,
                           const GramOptions& options = {});

// The width that a rule asks for, chosen after the parties have sent their factors.
double gamma_of_distances(const GammaSpec& spec, const std::vector<DistanceFactor>& factors,
                          std::uint64_t seed);
Vector lengths_of(const std::vector<DistanceFactor>& factors);  // squared, of all features: T

struct FusedAnswer {
  Matrix vectors;      // T x D, eigenvectors of the centred kernel matrix
  Vector eigenvalues;  // D
  double next = 0;     // the eigenvalue after them: the gap of Theorem 1
  double trace = 0;
  Centring centring;  // of the kernel matrix; empty if the parties have centred
  bool converged = true;
  double residual = 0;
};
FusedAnswer leading_components(const FusedKernel& fused, const ComponentChoice& components,
                               const FactorSize& solver);

// Theorem 1: a bound of ||sin Theta(V, V^)||_F; infinite where it says nothing (no gap).
double sin_theta_bound(const Kernel& kernel, const std::vector<KernelFactor>& factors,
                       const FusedAnswer& answer);

}  // namespace choir::oneshot_kpca
