#include "choir/learn/federated_kmeans/noisy_clusters.h"

#include <algorithm>
#include <utility>

#include "choir/learn/federated_kmeans/lloyd.h"

namespace choir::federated_kmeans {
namespace {

// Of seeds from the mean. Which sample is nearest to which of them does not depend on it, as long as they are
// equally far.
constexpr double distance_of_seeds = 0.3;

void shorten_to_unit(Matrix& columns) {
  for (auto column : columns.colwise()) column /= std::max(1.0, column.norm());
}

}  // namespace

Matrix sums_of_clusters(const Matrix& features, const Matrix& centres) {
  Matrix bounded = features;
  for (auto column : bounded.colwise()) {
    if (!column.allFinite()) column.setZero();
  }
  shorten_to_unit(bounded);
  return lloyd_sums(bounded, RunCentres::of({centres})).topRows(features.rows() + 1);
}

Vector noisy_mean(const Matrix& total, double samples) {
  Matrix mean = total.topRows(total.rows() - 1) / samples;
  shorten_to_unit(mean);
  return mean.col(0);
}

NoisyClusters::NoisyClusters(const Vector& mean, const StartOptions& options)
    : mean_(mean), centres_(mean.size(), options.clusters), counts_(Vector::Zero(options.clusters)) {
  Rng rng(options.seed, Purpose("federated-kmeans noisy seeds"));
  for (auto centre : centres_.colwise()) {
    Vector direction = Vector::NullaryExpr(mean.size(), [&] { return rng.normal(); });
    centre = mean + distance_of_seeds * direction.normalized();
  }
}

Vector NoisyClusters::moved(const Vector& noisy, double count, double sigma) const {
  const Vector away = noisy / count - mean_;
  const double of_noise = static_cast<double>(noisy.size()) * (sigma / count) * (sigma / count);
  const double squared = away.squaredNorm();
  const double kept = squared > of_noise ? 1 - of_noise / squared : 0;
  return mean_ + kept * away;
}

void NoisyClusters::move(const Matrix& total, double sigma) {
  const Index r = centres_.rows();
  counts_ = total.row(r).transpose().array().round().max(0);
  for (Index c = 0; c < centres_.cols(); ++c) {
    const double count = total(r, c);
    if (count >= std::max(1.0, sigma)) centres_.col(c) = moved(total.col(c).head(r), count, sigma);
  }
  shorten_to_unit(centres_);
}

}  // namespace choir::federated_kmeans
