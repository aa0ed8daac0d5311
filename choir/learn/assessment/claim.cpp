#include "choir/learn/assessment/claim.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "choir/linalg/eigen.h"
#include "choir/linalg/svd.h"

namespace choir {
namespace {

constexpr int peak_power = 8;  // of a sum over samples that stands for their largest

// The part of a group that is kept, and the whole of it.
struct GroupColumns {
  Index first;
  Index kept;
  Index all;
};

Vector for_each_group(const GuardedAnswer& answer, const std::function<double(const GroupColumns&)>& claim) {
  Vector claims(answer.kept);
  for (const ComponentGroup& group : component_groups(answer.variances, answer.kept)) {
    const Index kept = std::min(group.last, answer.kept - 1) - group.first + 1;
    const double found = claim({group.first, kept, group.size()});
    claims.segment(group.first, kept).setConstant(std::clamp(found, 0.0, 1.0));
  }
  return claims;
}

// overlap: G x G cosines, rows the answer's.
double smallest_cosine(const Matrix& overlap, const GroupColumns& group) {
  const Index all = std::min(group.all, overlap.cols() - group.first);
  if (all < group.kept) return 0;
  return singular_values(overlap.block(group.first, group.first, group.kept, all)).minCoeff();
}

Vector inverse_roots(const Vector& variances) {
  return variances.unaryExpr([](double value) { return value > 0 ? 1 / std::sqrt(value) : 0.0; });
}

}  // namespace

Vector claims_from_subspace(const GuardedAnswer& answer, const Matrix& other) {
  const Matrix overlap = answer.directions.transpose() * other;
  return for_each_group(answer, [&](const GroupColumns& group) { return smallest_cosine(overlap, group); });
}

Vector claims_from_scores(const GuardedAnswer& answer, const Matrix& products,
                          const Vector& other_variances) {
  const Matrix correlations =
      inverse_roots(answer.variances).asDiagonal() * products * inverse_roots(other_variances).asDiagonal();
  return for_each_group(answer,
                        [&](const GroupColumns& group) { return smallest_cosine(correlations, group); });
}

Matrix ResidualSums::packed() const {
  const Index columns = own.cols();
  Matrix all = Matrix::Zero(columns + 3, 2 * columns);
  all.topRows(columns) << pairs, own;
  all(columns, 0) = pair_count;
  all(columns + 1, 0) = samples;
  all(columns + 2, 0) = peaks;
  return all;
}

ResidualSums ResidualSums::unpacked(const Matrix& all) {
  const Index columns = all.cols() / 2;
  return {.pairs = all.topLeftCorner(columns, columns),
          .own = all.block(0, columns, columns, columns),
          .pair_count = all(columns, 0),
          .samples = all(columns + 1, 0),
          .peaks = all(columns + 2, 0)};
}

ResidualSums residual_sums(const Matrix& scores, const Matrix& rest) {
  const auto samples = static_cast<double>(scores.rows());
  const Vector lengths = rest.diagonal().cwiseMax(0);
  ResidualSums sums;
  sums.own = scores.transpose() * lengths.asDiagonal() * scores;
  sums.pairs = scores.transpose() * rest * scores - sums.own;
  sums.pair_count = samples * (samples - 1);
  sums.samples = samples;
  sums.peaks = peaks_of(lengths);
  return sums;
}

double peaks_of(const Vector& lengths) { return lengths.array().max(0).pow(peak_power).sum(); }

double missed_variance(const ResidualSums& all) {
  return all.samples > 0 ? std::pow(all.peaks, 1.0 / peak_power) / all.samples : 0;
}

Matrix residual_gram(const ResidualSums& all) {
  const double squared = all.samples * all.samples;
  Matrix gram = all.own / squared;
  if (all.pair_count > 0) gram += (squared - all.samples) / squared / all.pair_count * all.pairs;
  return (gram + gram.transpose()) / 2;
}

double captured_share(const GuardedAnswer& answer, const Matrix& gram, double missed) {
  const Vector& variances = answer.variances;
  // Every entry over the mean of its two variances: a weak component does not share a strong one's tilt.
  const Vector roots = inverse_roots(variances);
  const Matrix added = roots.asDiagonal() * gram * roots.asDiagonal();
  const Vector within = eigen_symmetric<double>(Matrix(variances.asDiagonal()) + added).values;
  // A direction outside the span takes the place of the weakest component, if it has more variance.
  const double weakest = within(answer.kept - 1);
  const double central = within.head(answer.kept).sum() + std::max(0.0, missed - weakest);
  return central > 0 ? std::min(1.0, variances.head(answer.kept).sum() / central) : 0;
}

Vector claims_from_residual(const GuardedAnswer& answer, const Matrix& gram, double missed) {
  return for_each_group(answer, [&](const GroupColumns& group) {
    const double variance = answer.variances(group.first + group.kept - 1) - missed;
    if (!(variance > 0)) return 0.0;
    const Matrix block = gram.block(group.first, group.first, group.kept, group.kept);
    const double tilt = std::sqrt(std::max(0.0, eigen_symmetric<double>(block).values(0))) / variance;
    const Matrix effective = Matrix(answer.variances.asDiagonal()) + gram / variance;
    const Matrix turned = eigen_symmetric<double>(effective).vectors;
    return smallest_cosine(turned, group) / std::sqrt(1 + tilt * tilt);
  });
}

}  // namespace choir
