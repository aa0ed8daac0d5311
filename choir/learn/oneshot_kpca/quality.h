// How far the parties' answers are from kernel PCA of all features in one place.
//
//   const double error = subspace_error_of(fit, {.tol = 1e-8});
#pragma once

#include "choir/learn/central/kernel_pca.h"
#include "choir/learn/oneshot_kpca/oneshot_kpca.h"

namespace choir::oneshot_kpca {

// D - ||V'V^||^2 of the answer that is the furthest off. Kernel and number of components of `central` are
// those of the fit. Throws Error(InvalidArgument) unless the results of all parties are in this process.
double subspace_error_of(const Fit& fit, central_kpca::Options central, const RunOptions& run = {});

}  // namespace choir::oneshot_kpca
