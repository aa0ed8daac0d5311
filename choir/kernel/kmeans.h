// k-means: seeding by k-means++ (D^2 sampling), Lloyd's iterations on BLAS. Used to choose landmarks.
//
//   const KMeans fit = kmeans(samples, {.clusters = 400, .seed = 1, .threads = 2});
//   fit.centres;                                  // M x k
//   if (!fit.converged) ...                        // status, not an exception
//
// Bits do not depend on the number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "choir/base/progress.h"
#include "choir/linalg/types.h"

namespace choir {

struct KMeansOptions {
  Index clusters = 8;  // k
  Index max_iter = 300;
  double tol = 1e-4;  // on the squared movement of all centres, relative to the features' mean variance
  int n_init = 1;     // number of restarts; the best is kept
  std::uint64_t seed = 0;
  int threads = 1;
  Watch watch = {};
};

struct KMeans {
  Matrix centres;             // M x k
  std::vector<Index> labels;  // N, the nearest centre; the first of equally near ones
  Vector counts;              // k, samples (or their weights) per cluster
  double inertia = 0;         // sum of (weighted) squared distances to the nearest centre
  Index iterations = 0;
  bool converged = false;  // labels stood still or centres moved less than tol
};

// weights: N, not negative; empty means 1 each. A cluster that runs empty takes over the sample that is
// farthest from its centre. Throws Error(InvalidArgument) if there are fewer distinct samples (of positive
// weight) than clusters, or weights of the wrong number or sign.
KMeans kmeans(const MatrixView<double>& samples, const KMeansOptions& options, const Vector& weights = {});

}  // namespace choir
