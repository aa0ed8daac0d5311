// What a party sends: its own kernel matrix, or its own scatter, as far as it matters. Pure mathematics.
//
//   const KernelFactor mine = kernel_factor(kernel, features, {.count = 10});    // estimator = product
//   const DistanceFactor mine = distance_factor(features, {.epsilon = 5e-4});    // estimator = distances
#pragma once

#include <optional>

#include "choir/kernel/kernel.h"
#include "choir/linalg/moments.h"
#include "choir/linalg/types.h"

namespace choir::oneshot_kpca {

struct FactorSize {
  std::optional<Index> count =
      {};  // D_j; nothing: those with eigenvalues above epsilon times the first (eq. 4)
  double epsilon = 5e-4;
  std::optional<double> above = {};  // the eigenvalue itself, in place of epsilon times the first
  Index least = 1;                   // of eq. 4
  double tol = 1e-8;
  Index max_iter = 100;
  int threads = 1;
};

// K_j ~ V L V' over the party's own features.
struct KernelFactor {
  Matrix vectors;      // T x D_j, orthonormal
  Vector values;       // D_j, descending
  double dropped = 0;  // the largest eigenvalue that was left out: of Theorem 1
  double trace = 0;    // of the whole K_j, what was left out included
};
// Linear: the features are centred over samples first, which needs nobody else. rbf: the kernel matrix is not
// centred; it does not depend on the features' means, which are taken away before their digits cancel.
KernelFactor kernel_factor(const Kernel& kernel, const MatrixView<double>& features, const FactorSize& size);

// X_j'X_j ~ Y Y' + what the rank leaves out on the diagonal, about the party's own mean.
struct DistanceFactor {
  Matrix coordinates;    // Y: T x k
  Vector residuals;      // r: T, squared lengths that Y leaves out
  double dropped = 0;    // the largest eigenvalue of the scatter that was left out
  Vector mean_products;  // s = X_j'mu_j: T
  double mean_norm = 0;  // ||mu_j||^2
  Moments entries;       // of all entries of X_j, for gamma "scale"
};
DistanceFactor distance_factor(const MatrixView<double>& features, const FactorSize& size);

// The same from fewer vectors: this share of them, rounded down. A factor that left nothing out stays whole.
KernelFactor leading_part(const KernelFactor& factor, double share);
DistanceFactor leading_part(const DistanceFactor& factor, double share);

// Numbers in it, and in the raw features of the party: sending as much shows the features up to a rotation.
Index numbers_in(const KernelFactor& factor);
Index numbers_in(const DistanceFactor& factor);

}  // namespace choir::oneshot_kpca
