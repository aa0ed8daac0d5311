// Landmarks that a server makes of what the devices published, and the Gram matrix of features.
//
//   const Samples landmarks = landmarks_from(published, 100, seed);     // M x q, weighted k-means
//   const NystroemFeatures features(kernel, landmarks);                 // W' = R'k_Z(x), kernel/nystroem.h
//   sum += packed_gram(w);                                              // at the devices
//   const EigenPairs spectrum = eigen_symmetric<double>(unpacked_gram(sum, q));
#pragma once

#include <cstdint>

#include "choir/learn/features/centroids.h"
#include "choir/linalg/types.h"

namespace choir::federated_kmeans {

// Means of published centroids by weighted k-means; the published ones themselves if there are no more than
// that. Throws Error(InvalidArgument) if there are none.
Samples landmarks_from(const CountedCentroids& published, Index count, std::uint64_t seed);

// The lower triangle of W'W, column by column, from W' (n x N): n (n + 1) / 2 numbers.
Vector packed_gram(const MatrixView<double>& w);
// The whole matrix. Throws Error(BadData) if the number of numbers is wrong.
Matrix unpacked_gram(const VectorView<double>& packed, Index size);

}  // namespace choir::federated_kmeans
