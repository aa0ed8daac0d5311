// Kernel PCA through Nystroem features: f(x) = R'k_Z(x) for m landmarks Z, then PCA of the features.
// N x m numbers instead of N x N; the components are directions in the span of the landmarks.
#pragma once

#include "choir/learn/central/kernel_pca.h"

namespace choir {

// Landmarks are k-means centres of (at most 50 m of) the samples. Reached through
// central_kernel_pca({.n_landmarks = m}).
CentralKpca landmark_kernel_pca(const Samples& samples, const CentralKpcaOptions& options);

}  // namespace choir
