// Means of several of a node's own samples each, which may be shown where samples may not.
//
//   const CountedCentroids mine = counted_centroids(samples, {.count = 5, .min_count = 3, .seed = seed});
#pragma once

#include <cstdint>

#include "choir/linalg/types.h"
#include "choir/runtime/kind.h"

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

// How many different samples there are, counted no further than `most`.
Index distinct_samples(const MatrixView<double>& samples, Index most);

// What kind of message means of so many samples are.
Kind kind_of_centroids(Index min_count);

}  // namespace choir
