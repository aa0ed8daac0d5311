#include "choir/learn/features/landmarks.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "choir/base/error.h"
#include "choir/kernel/gram.h"
#include "choir/kernel/kmeans.h"
#include "choir/kernel/nystroem.h"
#include "choir/runtime/blocks/tree_sum.h"

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

// The largest of the `count` smallest draws in the network: nodes that drew no more contribute. Draws are
// unique but for a chance of 2^-53.
Task<double> agreed_threshold(Node& node, double draw, Index count) {
  const Combine keep_smallest = [count](const Message& mine, const Message& child) {
    const auto a = mine.array(0).matrix();
    const auto b = child.array(0).matrix();
    std::vector<double> all(a.data(), a.data() + a.size());
    all.insert(all.end(), b.data(), b.data() + b.size());
    std::sort(all.begin(), all.end());
    all.resize(std::min(all.size(), static_cast<std::size_t>(count)));
    Message message(Kind::control);
    message.array(Vector(Eigen::Map<const Vector>(all.data(), static_cast<Index>(all.size()))));
    return message;
  };
  Message mine(Kind::control);
  mine.array(Vector(Vector::Constant(1, draw)));
  const Message smallest = co_await tree_fold(node, node.tree(), mine, keep_smallest);
  co_return smallest.array(0).matrix().maxCoeff();
}

Task<bool> contributes(Node& node, const LandmarkOptions& options) {
  const Index wanted = std::max<Index>(1, options.most / options.per_node);
  if (wanted >= node.network_size()) co_return true;
  const double draw = node.rng(Purpose("landmark"), 0).uniform();
  const double threshold = co_await agreed_threshold(node, draw, wanted);
  co_return draw <= threshold;
}

// Children's centroids beside one's own. Nothing is copied where only one side has any.
Message beside(const Message& mine, const Message& child) {
  const auto a = mine.array(0).matrix();
  const auto b = child.array(0).matrix();
  if (b.cols() == 0) return mine;
  if (a.cols() == 0) return child;
  Matrix both(a.rows(), a.cols() + b.cols());
  both << a, b;
  Message message(mine.kind());
  message.array(std::move(both));
  return message;
}

// At the root: Z, and R beside it.
Message with_whitening(const Message& centroids, const Kernel& kernel, Index most) {
  Matrix points = centroids.array(0).matrix();
  if (points.cols() > most) points.conservativeResize(Eigen::NoChange, most);
  Message message(centroids.kind());
  if (points.cols() == 0) return message;
  const NystroemFeatures features(kernel, points);
  message.array(std::move(points)).array(features.whitening());
  return message;
}

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

Matrix guarded_centroids(const MatrixView<double>& samples, const CentroidOptions& options) {
  return counted_centroids(samples, options).points;
}

Matrix SharedLandmarks::features(const Kernel& kernel, const MatrixView<double>& samples) const {
  return whitening.matrix().transpose() * gram<double>(kernel, points.matrix(), samples);
}

Kind kind_of_centroids(Index min_count) { return min_count > 1 ? Kind::centroids : Kind::raw_samples; }

Task<SharedLandmarks> agreed_landmarks(Node& node, Array shard, Kernel kernel, LandmarkOptions options) {
  const bool mine_count = co_await contributes(node, options);
  const CentroidOptions centroids{.count = options.per_node,
                                  .min_count = options.min_count,
                                  .seed = node.rng(Purpose("landmark centres"), 0).bits()};
  const Kind kind = kind_of_centroids(options.min_count);
  Message mine(kind);
  mine.array(mine_count ? guarded_centroids(shard.matrix(), centroids) : Matrix(shard.rows(), 0));
  const Combine combine = beside;
  const std::optional<Message> all = co_await convergecast(node, node.tree(), mine, combine);
  Message shared(kind);
  if (all) shared = with_whitening(*all, kernel, options.most);
  const Message agreed = co_await broadcast(node, node.tree(), shared);
  if (agreed.arrays().empty()) {
    fail(ErrorCategory::InvalidArgument,
         "no node that was asked for landmarks has {} samples, the smallest number behind a landmark; lower "
         "min_count, or centre locally",
         options.min_count);
  }
  SharedLandmarks landmarks{.points = agreed.array(0), .whitening = agreed.array(1)};
  co_return landmarks;
}

}  // namespace choir
