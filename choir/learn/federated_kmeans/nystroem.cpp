#include "choir/learn/federated_kmeans/nystroem.h"

#include <algorithm>

#include "choir/base/error.h"
#include "choir/kernel/kmeans.h"

namespace choir::federated_kmeans {
namespace {

// Landmarks need not be optimal: after these iterations they hardly move.
constexpr Index landmark_iterations = 15;
constexpr double landmark_tolerance = 1e-3;

}  // namespace

Samples landmarks_from(const CountedCentroids& published, Index count, std::uint64_t seed) {
  if (published.points.cols() == 0) {
    throw Error(ErrorCategory::InvalidArgument,
                "no device has published a centroid: none has min_count samples, or all refused; lower "
                "min_count");
  }
  if (published.points.cols() <= count) return published.points;
  const Index distinct = distinct_samples(published.points, count);
  const KMeansOptions options{
      .clusters = distinct, .max_iter = landmark_iterations, .tol = landmark_tolerance, .seed = seed};
  return kmeans(published.points, options, published.counts).centres;
}

Vector packed_gram(const MatrixView<double>& w) {
  const Index n = w.rows();
  Matrix gram = Matrix::Zero(n, n);
  gram.selfadjointView<Eigen::Lower>().rankUpdate(w);
  Vector packed(n * (n + 1) / 2);
  for (Index j = 0, at = 0; j < n; at += n - j, ++j) packed.segment(at, n - j) = gram.col(j).tail(n - j);
  return packed;
}

Matrix unpacked_gram(const VectorView<double>& packed, Index size) {
  if (packed.size() != size * (size + 1) / 2) {
    fail(ErrorCategory::BadData, "the triangle of a {0} x {0} matrix came as {1} numbers", size,
         packed.size());
  }
  Matrix gram(size, size);
  for (Index j = 0, at = 0; j < size; at += size - j, ++j) {
    gram.col(j).tail(size - j) = packed.segment(at, size - j);
    gram.row(j).tail(size - j) = packed.segment(at, size - j).transpose();
  }
  return gram;
}

}  // namespace choir::federated_kmeans
