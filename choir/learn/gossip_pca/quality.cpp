#include "choir/learn/gossip_pca/quality.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "choir/base/error.h"
#include "choir/linalg/columns.h"
#include "choir/linalg/eigen.h"
#include "choir/linalg/moments.h"
#include "choir/metrics/subspace.h"

namespace choir::gossip_pca {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

Matrix pooled_samples(std::vector<Samples> shards, const NodeResult& any) {
  for (Samples& shard : shards) any.preprocessing.apply(shard);
  const Samples all = side_by_side(shards);
  return any.map ? any.map->features(all) : Matrix(all);
}

Matrix pooled_coordinates(std::vector<Samples> shards, const Preprocessing& wish) {
  std::vector<Samples> rows;
  for (Samples& shard : shards) {
    const bool zscore = wish.standardize == Standardize::zscore;
    const Preprocessing own = zscore ? fit_zscore(wish, feature_moments(shard)) : wish;
    own.apply(shard);
    rows.emplace_back((shard.colwise() - shard.rowwise().mean()).transpose());
  }
  return side_by_side(rows);
}

}  // namespace

Yardstick::Yardstick(const MatrixView<double>& samples, Index q, bool centre)
    : weight_(static_cast<double>(samples.cols())) {
  if (q < 1 || q > samples.rows() || samples.cols() == 0) {
    fail(ErrorCategory::InvalidArgument, "{} components of {} samples with {} features cannot be compared", q,
         samples.cols(), samples.rows());
  }
  mean_ = centre ? Vector(samples.rowwise().mean()) : Vector::Zero(samples.rows());
  const Matrix centred = samples.colwise() - mean_;
  covariance_ = centred * centred.transpose() / weight_;
  const EigenPairs pairs = eigen_symmetric<double>(covariance_);
  eigenvalues_ = pairs.values.cwiseMax(0);
  directions_ = pairs.vectors.leftCols(q);
  norm_ = eigenvalues_.squaredNorm();
  best_error_ = norm_ > 0 ? eigenvalues_.tail(eigenvalues_.size() - q).squaredNorm() / norm_ : 0;
}

// ||V l V' - C||^2 without forming V l V'; what is lost to cancellation is some 1e-16 of ||C||^2.
double Yardstick::error(const Principal& principal) const {
  const Matrix& v = principal.directions;
  if (v.cols() == 0) return 1;
  const Vector captured = (v.transpose() * (covariance_ * v)).diagonal();
  const double squares = principal.variances.squaredNorm() - 2 * principal.variances.dot(captured) + norm_;
  return std::max(0.0, squares / norm_);
}

double Yardstick::mean_error(const Vector& mean) const {
  constexpr double rounding = 1e-9;  // a mean of standardized samples is no length to compare with
  const double length = mean_.norm();
  const double spread = std::sqrt(eigenvalues_.sum());
  const double scale = length > rounding * spread ? length : spread;
  return (mean - mean_).norm() / scale;
}

Quality Yardstick::measure(const Fit& fit) const {
  Quality quality;
  double cosines = 0;
  double nodes = 0;
  for (const auto& node : fit.nodes) {
    quality.error.push_back(not_a_number);
    quality.error_after.emplace_back();
    if (!node) continue;
    quality.error.back() = error({.mean = {}, .directions = node->directions, .variances = node->variances});
    for (const Principal& iterate : node->iterates)
      quality.error_after.back().push_back(error(iterate) - best_error_);
    quality.error_relative += quality.error.back();
    quality.mass += node->weight / weight_;
    if (node->directions.cols() > 0) cosines += smallest_cosine(node->directions, directions_);
    if (node->division == Division::samples && node->mean.size() == mean_.size()) {
      quality.mean_error = std::max(quality.mean_error, mean_error(node->mean));
    }
    ++nodes;
  }
  quality.error_relative /= nodes;
  quality.subspace_cosine_min = cosines / nodes;
  quality.excess_error = (quality.error_relative - best_error_) / best_error_;
  return quality;
}

Quality measure_quality(const Fit& fit, std::vector<Samples> shards, const Options& options) {
  const auto any = std::find_if(fit.nodes.begin(), fit.nodes.end(), [](const auto& node) { return node; });
  if (any == fit.nodes.end()) throw Error(ErrorCategory::InvalidArgument, "no node has a result to compare");
  const bool samples = options.partition == Division::samples;
  const Matrix all = samples ? pooled_samples(std::move(shards), **any)
                             : pooled_coordinates(std::move(shards), options.preprocessing);
  return Yardstick(all, (*any)->variances.size(), samples).measure(fit);
}

}  // namespace choir::gossip_pca
