// The kernel matrix of all features, from the parties' factors: tiles of the lower triangle only.
//
//   // sum (linear) or Hadamard product (rbf):
//   const FusedKernel fused = fuse_products(kernel, factors, threads);
//   // any kernel of distance or inner product:
//   const FusedKernel fused = fuse_distances(kernel, factors, threads);
//   const FusedAnswer answer = leading_components(fused, 10, ...);          // fused_answer.h
#pragma once

#include <vector>

#include "choir/kernel/bandwidth.h"
#include "choir/kernel/gram.h"
#include "choir/learn/oneshot_kpca/factors.h"

namespace choir::oneshot_kpca {

struct FusedKernel {
  TriangularGram<double> matrix;  // T x T, not centred
  double trace = 0;               // of all features' own, what the factors leave out included
  bool centred = false;           // linear product: the parties have centred, and the matrix is
  bool trace_centred = false;     // linear: the trace is that of the centred matrix already
  bool whole = true;              // nothing was left out
  bool definite = true;           // no eigenvalue can be negative, whatever the data
  Matrix columns = {};            // any x T: what the parties sent, for the search to begin from
};

FusedKernel fuse_products(const Kernel& kernel, const std::vector<KernelFactor>& factors,
                          const GramOptions& options = {});
// Inner products of a linear kernel are about the parties' own means (centred_by_parties): centring would
// take these away anyway, but only after they have cost digits.
FusedKernel fuse_distances(const Kernel& kernel, const std::vector<DistanceFactor>& factors,
                           const GramOptions& options = {});

bool centred_by_parties(const Kernel& kernel);

// The width that a rule asks for, chosen after the parties have sent their factors.
double gamma_of_distances(const GammaSpec& spec, const std::vector<DistanceFactor>& factors,
                          std::uint64_t seed);
Vector lengths_of(const std::vector<DistanceFactor>& factors);  // squared, of all features: T

}  // namespace choir::oneshot_kpca
