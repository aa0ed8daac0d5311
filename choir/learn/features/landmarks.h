// Landmarks that all nodes share: means of several samples each, from some or all of the nodes.
//
//   const Matrix mine = guarded_centroids(shard.matrix(), {.count = 5, .min_count = 3, .seed = seed});
//   const SharedLandmarks shared = co_await agreed_landmarks(node, shard, kernel, options);
//   const Matrix f = shared.features(kernel, shard.matrix());         // R'k_Z(x): m x N
//
// The root of the tree decomposes K_ZZ = U S U' and tells everybody R = U S^-1/2 with Z: eigenvectors that
// every node computed for itself could differ in sign from machine to machine, and sums over nodes of
// R'k_Z(x) would mean nothing.
#pragma once

#include "choir/kernel/kernel.h"
#include "choir/linalg/types.h"
#include "choir/runtime/array.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

struct CentroidOptions {
  Index count = 5;
  Index min_count = 3;  // clusters of fewer samples are merged into the nearest
  std::uint64_t seed = 0;
  Index max_iter = 300;  // of k-means
  double tol = 1e-4;
};

struct CountedCentroids {
  Matrix points;  // M x L
  Vector counts;  // L: samples that each is the mean of
};

// k-means centres, at most count; none if there are fewer samples than min_count.
CountedCentroids counted_centroids(const MatrixView<double>& samples, const CentroidOptions& options);
Matrix guarded_centroids(const MatrixView<double>& samples, const CentroidOptions& options);

// How many different samples there are, counted no further than `most`.
Index distinct_samples(const MatrixView<double>& samples, Index most);

struct LandmarkOptions {
  Index per_node = 5;
  Index most = 400;     // landmarks in all; if the nodes have more, a random choice of them contributes
  Index min_count = 3;  // 1: centroids may be samples, and count as raw samples in the ledger
};

struct SharedLandmarks {
  Array points;     // Z: M x L
  Array whitening;  // R: L x m

  Matrix features(const Kernel& kernel, const MatrixView<double>& samples) const;  // m x N
};

// What kind of message centroids of so many samples are.
Kind kind_of_centroids(Index min_count);

// Throws Error(InvalidArgument) at all nodes if no node has enough samples for a landmark.
Task<SharedLandmarks> agreed_landmarks(Node& node, Array shard, Kernel kernel, LandmarkOptions options);

}  // namespace choir
