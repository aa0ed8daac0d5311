#include "choir/learn/online_kernel/ridge_family.h"

#include <algorithm>
#include <cmath>

#include "choir/base/error.h"
#include "choir/linalg/cholesky.h"
#include "choir/linalg/eigen.h"

namespace choir::online_kernel {
namespace {

constexpr double rounding_cutoff = 1e-12;   // of the largest eigenvalue
constexpr double smallest_exponent = -3;    // of the grid of ridges
constexpr double largest_leverage = 0.999;  // of 1, where a sample says nothing about the others

void require_samples(const FeatureSums& sums) {
  if (sums.weight > 0) return;
  throw Error(ErrorCategory::InvalidArgument, "there are no moments of any sample to learn from");
}

// About the weighted means; the lower triangle alone.
Matrix centred_products(const FeatureSums& sums) {
  return sums.products - sums.features * sums.features.transpose() / sums.weight;
}
Matrix centred_cross(const FeatureSums& sums) {
  return sums.cross - sums.features * sums.targets.transpose() / sums.weight;
}

double mean_length(const FeatureSums& sums) {
  const double length = sums.products.diagonal().sum() / sums.weight;
  return length > 0 ? length : 1;
}

Matrix with_intercept(const Matrix& slopes, const Vector& mean, const Vector& constant) {
  Matrix weights(slopes.rows() + 1, slopes.cols());
  weights << slopes, (constant - slopes.transpose() * mean).transpose();
  return weights;
}

}  // namespace

RidgeFamily ridge_family(const FeatureSums& sums) {
  require_samples(sums);
  RidgeFamily family;
  family.mean = sums.features / sums.weight;
  family.constant = sums.targets / sums.weight;
  family.weight = sums.weight;
  family.length = mean_length(sums);
  family.factors = Vector::Ones(sums.outputs());
  Index rank = 0;
  EigenPairs pairs;
  if (sums.size() > 0) {
    pairs = eigen_symmetric<double>(centred_products(sums));
    rank = (pairs.values.array() > rounding_cutoff * std::max(pairs.values(0), family.length)).count();
  }
  family.values = pairs.values.head(rank);
  family.directions = rank > 0 ? Matrix(pairs.vectors.leftCols(rank)) : Matrix(sums.size(), 0);
  family.products = family.directions.transpose() * centred_cross(sums);
  return family;
}

RidgeFamily spread_over(const RidgeFamily& family, const std::vector<Index>& chosen, Index features) {
  RidgeFamily all = family;
  all.mean = Vector::Zero(features);
  all.directions = Matrix::Zero(features, family.directions.cols());
  all.mean(chosen) = family.mean;
  all.directions(chosen, Eigen::all) = family.directions;
  return all;
}

Vector ridge_grid(const RidgeFamily& family) {
  return Vector::NullaryExpr(ridge_candidates, [&](Index i) { return family.length * ridge_factor(i); });
}

double ridge_factor(Index candidate) {
  return std::pow(10, smallest_exponent + static_cast<double>(candidate));
}

Matrix weights_of(const RidgeFamily& family, double ridge) {
  const Vector shrinkage = (family.values.array() + ridge).inverse();
  const Matrix slopes = family.directions * (shrinkage.asDiagonal() * family.products);
  return with_intercept(slopes, family.mean, family.constant);
}

Matrix ridge_weights(const FeatureSums& sums, double ridge) {
  require_samples(sums);
  Matrix penalised = centred_products(sums);
  penalised.diagonal().array() += ridge * mean_length(sums);
  const Matrix slopes = cholesky<double>(penalised, ConditionEstimate::no).solve(centred_cross(sums));
  return with_intercept(slopes, sums.features / sums.weight, sums.targets / sums.weight);
}

double squared_loss(const FeatureSums& sums, const Matrix& weights) {
  const Matrix slopes = weights.topRows(sums.size());
  const Vector intercept = weights.row(sums.size());
  const Matrix products = sums.products.selfadjointView<Eigen::Lower>() * slopes;
  const double of_scores = slopes.cwiseProduct(products).sum() +
                           2 * intercept.dot(slopes.transpose() * sums.features) +
                           sums.weight * intercept.squaredNorm();
  const double with_targets = slopes.cwiseProduct(sums.cross).sum() + intercept.dot(sums.targets);
  return sums.squares - 2 * with_targets + of_scores;
}

Matrix scores_of(const Matrix& weights, const Matrix& psi) {
  Matrix scores = psi.transpose() * weights.topRows(weights.rows() - 1);
  scores.rowwise() += weights.bottomRows(1).row(0);
  return scores;
}

Matrix coordinates_of(const RidgeFamily& family, const Matrix& psi) {
  return family.directions.transpose() * (psi.colwise() - family.mean);
}

Vector leverages(const RidgeFamily& family, double ridge, const Matrix& coordinates, const Vector& weights) {
  const Vector shrinkage = (family.values.array() + ridge).inverse();
  Vector lengths = Vector::Zero(weights.size());
  if (coordinates.size() > 0) lengths = coordinates.cwiseAbs2().transpose() * shrinkage;
  return weights.array() * (lengths.array() + 1 / family.weight);
}

Matrix left_out(const Matrix& scores, const Matrix& targets, const Vector& leverages) {
  const Vector factors = (1 - leverages.array().min(largest_leverage)).inverse();
  return targets - factors.asDiagonal() * (targets - scores);
}

}  // namespace choir::online_kernel
