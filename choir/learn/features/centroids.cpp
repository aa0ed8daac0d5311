#include "choir/learn/features/centroids.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "choir/kernel/kmeans.h"

namespace choir {
namespace {

struct Clusters : CountedCentroids {
  void drop(Index cluster) {
    const Index last = counts.size() - 1;
    points.col(cluster) = points.col(last).eval();
    counts(cluster) = counts(last);
    points.conservativeResize(Eigen::NoChange, last);
    counts.conservativeResize(last);
  }

  Index nearest_to(Index cluster) const {
    Vector distances = (points.colwise() - points.col(cluster)).colwise().squaredNorm();
    distances(cluster) = std::numeric_limits<double>::infinity();
    Index nearest = 0;
    distances.minCoeff(&nearest);
    return nearest;
  }

  void merge(Index cluster, Index into) {
    const double together = counts(cluster) + counts(into);
    points.col(into) =
        ((counts(into) * points.col(into) + counts(cluster) * points.col(cluster)) / together).eval();
    counts(into) = together;
    drop(cluster);
  }
};

}  // namespace

Index distinct_samples(const MatrixView<double>& samples, Index most) {
  std::vector<Index> found;
  for (Index n = 0; n < samples.cols() && static_cast<Index>(found.size()) < most; ++n) {
    const bool seen = std::any_of(found.begin(), found.end(),
                                  [&](Index other) { return samples.col(n) == samples.col(other); });
    if (!seen) found.push_back(n);
  }
  return static_cast<Index>(found.size());
}

CountedCentroids counted_centroids(const MatrixView<double>& samples, const CentroidOptions& options) {
  const Index wanted = std::min(options.count, distinct_samples(samples, options.count));
  if (wanted == 0 || samples.cols() < options.min_count) {
    return {.points = Matrix(samples.rows(), 0), .counts = Vector(0)};
  }
  const KMeans fit = kmeans(
      samples, {.clusters = wanted, .max_iter = options.max_iter, .tol = options.tol, .seed = options.seed});
  Clusters clusters{{.points = fit.centres, .counts = fit.counts}};
  Index smallest = 0;
  while (clusters.counts.minCoeff(&smallest) < static_cast<double>(options.min_count)) {
    clusters.merge(smallest, clusters.nearest_to(smallest));
  }
  return clusters;
}

Kind kind_of_centroids(Index min_count) { return min_count > 1 ? Kind::centroids : Kind::raw_samples; }

}  // namespace choir
