#include "choir/learn/federated_kmeans/quality.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "choir/base/error.h"
#include "choir/base/rng.h"
#include "choir/linalg/eigen.h"

namespace choir::federated_kmeans {
namespace {

// N x k: 1 / n_c where sample n is in cluster c.
Matrix averaging(std::span<const std::int64_t> labels, Index clusters) {
  Matrix weights = Matrix::Zero(static_cast<Index>(labels.size()), clusters);
  for (std::size_t n = 0; n < labels.size(); ++n) weights(static_cast<Index>(n), labels[n]) = 1;
  for (auto column : weights.colwise()) column /= std::max(1.0, column.sum());
  return weights;
}

// ||phi(x_n) - m_c||^2 = k(x,x) - 2 (K A)_nc + (A'KA)_cc; an empty cluster is infinitely far. N x k.
Matrix distances_to_means(const MatrixView<double>& gram, const Matrix& weights) {
  const Matrix products = gram * weights;
  const Vector lengths = weights.cwiseProduct(products).colwise().sum();
  Matrix distances = -2 * products;
  distances.colwise() += gram.diagonal();
  distances.rowwise() += lengths.transpose();
  for (Index c = 0; c < weights.cols(); ++c) {
    if (weights.col(c).isZero(0)) distances.col(c).setConstant(std::numeric_limits<double>::infinity());
  }
  return distances;
}

std::vector<std::int64_t> nearest(const Matrix& distances) {
  std::vector<std::int64_t> labels;
  for (const auto sample : distances.rowwise()) {
    Index best = 0;
    sample.minCoeff(&best);
    labels.push_back(best);
  }
  return labels;
}

Index drawn(const Vector& mass, Rng& rng) {
  double left = rng.uniform() * mass.sum();
  for (Index n = 0; n < mass.size(); ++n) {
    left -= mass(n);
    if (left < 0) return n;
  }
  Index largest = 0;
  mass.maxCoeff(&largest);
  return largest;
}

// k-means++ in feature space, then every sample to the nearest of the chosen ones.
std::vector<std::int64_t> first_labels(const MatrixView<double>& gram, Index clusters, Rng& rng) {
  const Index samples = gram.rows();
  Matrix distances(samples, clusters);
  Vector mass = Vector::Ones(samples);
  for (Index c = 0; c < clusters; ++c) {
    const Index chosen = drawn(mass, rng);
    distances.col(c) = (gram.diagonal() - 2 * gram.col(chosen)).array() + gram(chosen, chosen);
    mass = distances.leftCols(c + 1).rowwise().minCoeff().cwiseMax(0);
  }
  return nearest(distances);
}

KernelKmeans iterate(const MatrixView<double>& gram, std::vector<std::int64_t> labels,
                     const KernelKmeansOptions& options) {
  KernelKmeans result{.labels = std::move(labels)};
  while (result.iterations < options.max_iter && !result.converged) {
    const Matrix distances = distances_to_means(gram, averaging(result.labels, options.clusters));
    std::vector<std::int64_t> next = nearest(distances);
    result.converged = next == result.labels;
    result.labels = std::move(next);
    ++result.iterations;
  }
  result.cost = kernel_cost(gram, result.labels, options.clusters);
  return result;
}

}  // namespace

double kernel_cost(const MatrixView<double>& gram, std::span<const std::int64_t> labels, Index clusters) {
  if (static_cast<Index>(labels.size()) != gram.rows()) {
    fail(ErrorCategory::InvalidArgument, "there are {} labels for a kernel matrix of {} samples",
         labels.size(), gram.rows());
  }
  for (const std::int64_t label : labels) {
    if (label < 0 || label >= clusters)
      fail(ErrorCategory::InvalidArgument, "a label is {}; there are {} clusters", label, clusters);
  }
  Matrix members = averaging(labels, clusters);
  const Matrix products = gram * members;
  const Vector counts = (members.array() > 0).cast<double>().colwise().sum();
  return gram.trace() - counts.dot(Vector(members.cwiseProduct(products).colwise().sum()));
}

KernelKmeans kernel_kmeans(const MatrixView<double>& gram, const KernelKmeansOptions& options) {
  if (options.clusters < 1 || options.clusters > gram.rows()) {
    fail(ErrorCategory::InvalidArgument, "{} clusters were asked of {} samples", options.clusters,
         gram.rows());
  }
  KernelKmeans best;
  for (int start = 0; start < std::max(1, options.n_init); ++start) {
    Rng rng(options.seed, Purpose("kernel k-means"), 0, static_cast<std::uint64_t>(start));
    KernelKmeans found = iterate(gram, first_labels(gram, options.clusters, rng), options);
    if (start == 0 || found.cost < best.cost) best = std::move(found);
  }
  return best;
}

Matrix truncated(const Matrix& gram, Index rank) {
  const EigenPairs all = eigen_symmetric<double>(gram);
  const auto vectors = all.vectors.leftCols(rank);
  return vectors * all.values.head(rank).asDiagonal() * vectors.transpose();
}

double embedding_error(const MatrixView<double>& embedded, const Matrix& target) {
  const auto samples = static_cast<double>(target.rows());
  return (embedded * embedded.transpose() - target).squaredNorm() / (samples * samples);
}

}  // namespace choir::federated_kmeans
