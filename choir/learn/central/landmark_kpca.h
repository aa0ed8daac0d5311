// Kernel PCA through Nystroem features: f(x) = R'k_Z(x) for m landmarks Z, then PCA of the features.
// N x m numbers instead of N x N; the components are directions in the span of the landmarks.
#pragma once

#include "choir/learn/central/kernel_pca.h"

namespace choir {

// Landmarks are k-means centres of (at most 50 m of) the samples. Reached through
// fit_central_kpca({.n_landmarks = m}).
central_kpca::Fit landmark_kernel_pca(const SamplesView& samples, const central_kpca::Options& options,
                                      const RunOptions& run);

}  // namespace choir
