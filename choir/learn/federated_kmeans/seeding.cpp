#include "choir/learn/federated_kmeans/seeding.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "choir/base/error.h"
#include "choir/kernel/kmeans.h"
#include "choir/model/cluster_model.h"

namespace choir::federated_kmeans {
namespace {

constexpr Index iterations_of_a_start = 100;  // at the server, on few points: they spare rounds with devices
// Of the largest squared length. Products of points, which distances are computed from, err by about 1e-15.
constexpr double rounding = 1e-14;

}  // namespace

Index distinct_places(const Matrix& points, Index most) {
  const double same = same_place(points);
  std::vector<Index> places;
  for (Index n = 0; n < points.cols() && std::ssize(places) < most; ++n) {
    const bool elsewhere = std::all_of(places.begin(), places.end(), [&](Index place) {
      return (points.col(n) - points.col(place)).squaredNorm() > same;
    });
    if (elsewhere) places.push_back(n);
  }
  return std::ssize(places);
}

std::vector<Matrix> seeded_starts(const CountedCentroids& points, const StartOptions& options) {
  const Index distinct = distinct_places(points.points, options.clusters);
  if (distinct < options.clusters) {
    fail(ErrorCategory::InvalidArgument,
         "there are only {} distinct points to start {} clusters from; let devices publish more centroids "
         "(local_centroids, a lower min_count), or ask for fewer clusters",
         distinct, options.clusters);
  }
  std::vector<Matrix> starts;
  for (Index restart = 0; restart < options.restarts; ++restart) {
    Rng rng(options.seed, Purpose("federated-kmeans start"), 0, static_cast<std::uint64_t>(restart));
    const KMeansOptions how{
        .clusters = options.clusters, .max_iter = iterations_of_a_start, .seed = rng.bits()};
    starts.push_back(kmeans(points.points, how, points.counts).centres);
  }
  return starts;
}

std::vector<Matrix> drawn_starts(const Matrix& spread, const StartOptions& options) {
  std::vector<Matrix> starts;
  for (Index restart = 0; restart < options.restarts; ++restart) {
    Rng rng(options.seed, Purpose("federated-kmeans drawn start"), 0, static_cast<std::uint64_t>(restart));
    const Matrix normal = Matrix::NullaryExpr(spread.cols(), options.clusters, [&] { return rng.normal(); });
    Matrix start = spread * normal;
    for (auto centre : start.colwise()) centre *= std::min(1.0, spread.norm() / centre.norm());
    starts.push_back(std::move(start));
  }
  return starts;
}

double same_place(const MatrixView<double>& points) {
  return points.cols() == 0 ? 0 : rounding * points.colwise().squaredNorm().maxCoeff();
}

double oversampling(Index clusters) { return 2 * static_cast<double>(clusters); }

double cost_of(const MatrixView<double>& embedded, const MatrixView<double>& candidates) {
  if (embedded.cols() == 0) return 0;
  return squared_distances(embedded, candidates).colwise().minCoeff().sum();
}

Matrix drawn_samples(const MatrixView<double>& embedded, const MatrixView<double>& candidates, double odds,
                     Rng& rng) {
  if (embedded.cols() == 0) return Matrix(embedded.rows(), 0);
  if (candidates.cols() == 0) {
    return embedded.col(static_cast<Index>(rng.below(static_cast<std::uint64_t>(embedded.cols()))));
  }
  const Vector distances = squared_distances(embedded, candidates).colwise().minCoeff();
  std::vector<Index> drawn;
  for (Index n = 0; n < embedded.cols(); ++n) {
    if (rng.uniform() < odds * distances(n)) drawn.push_back(n);
  }
  return embedded(Eigen::all, drawn);
}

Vector weights_of(const MatrixView<double>& embedded, const MatrixView<double>& candidates) {
  Vector weights = Vector::Zero(candidates.cols());
  for (const std::int64_t nearest : nearest_centroids(embedded, candidates)) weights(nearest) += 1;
  return weights;
}

}  // namespace choir::federated_kmeans
