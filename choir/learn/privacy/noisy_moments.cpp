#include "choir/learn/privacy/noisy_moments.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "choir/base/error.h"

namespace choir {
namespace {

constexpr double room_for_rounding = 1e-9;

constexpr Index column_size(Index features) { return features * (features + 3) / 2; }

Index features_in(Index rows) {
  const auto features =
      static_cast<Index>(std::lround((std::sqrt(9.0 + 8.0 * static_cast<double>(rows)) - 3) / 2));
  if (column_size(features) == rows) return features;
  fail(ErrorCategory::BadData, "moments arrived as {} numbers, which fits no number of features", rows);
}

}  // namespace

Matrix within_unit_length(Matrix psi) {
  for (auto column : psi.colwise()) column *= (1 - room_for_rounding) / std::max(1.0, column.norm());
  return psi;
}

Matrix moments_column(const Matrix& psi) {
  const Index m = psi.rows();
  const Matrix products = psi * psi.transpose();
  Matrix column(column_size(m), 1);
  Index next = 0;
  for (Index j = 0; j < m; ++j) {
    column(next) = products(j, j);
    column.middleRows(next + 1, m - j - 1) = std::numbers::sqrt2 * products.col(j).tail(m - j - 1);
    next += m - j;
  }
  column.bottomRows(m) = psi.rowwise().sum();
  return column;
}

NoisyMoments moments_from(const Matrix& column, Index samples, double sigma) {
  const Index m = features_in(column.rows());
  NoisyMoments moments{
      .samples = samples, .sum = column.bottomRows(m), .products = Matrix(m, m), .sigma = sigma};
  Index next = 0;
  for (Index j = 0; j < m; ++j) {
    moments.products(j, j) = column(next);
    const Index below = m - j - 1;
    moments.products.col(j).tail(below) = column.middleRows(next + 1, below) / std::numbers::sqrt2;
    moments.products.row(j).tail(below) = moments.products.col(j).tail(below).transpose();
    next += m - j;
  }
  return moments;
}

Task<std::optional<NoisyMoments>> noisy_moments_at_root(Node& node, SecureSums& sums, Matrix psi,
                                                        Index samples, Release release,
                                                        const PrivacyPlan& plan) {
  const double sigma =
      release.sigma() * std::sqrt(static_cast<double>(plan.nodes()) * plan.share_of_variance());
  psi = within_unit_length(std::move(psi));
  Matrix mine = moments_column(psi);
  psi.resize(0, 0);  // not kept while others are waited for
  const std::optional<Matrix> total =
      co_await noisy_sum_at_root(node, sums, std::move(mine), std::move(release), plan);
  if (!total) co_return std::nullopt;
  co_return moments_from(*total, samples, sigma);
}

}  // namespace choir
