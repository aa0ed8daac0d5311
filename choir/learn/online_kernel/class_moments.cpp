#include "choir/learn/online_kernel/class_moments.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "choir/base/error.h"
#include "choir/learn/online_kernel/ridge_family.h"

namespace choir::online_kernel {
namespace {

// class_moments_sensitivity: a sample (psi, class k) becomes (phi, class l); a = |psi|^2, b = |phi|^2 <= 1, u
// = psi'phi.
//   S: |psi psi' - phi phi'|^2 = a^2 + b^2 - 2 u^2: the triangle with sqrt 2 has the length of the matrix
//   T: a + b - 2 u if k = l, and a + b otherwise: other columns change
//   t: 0 if k = l, and 2 class_share^2 otherwise
// Together at most 4 - 2 u^2 - 2 u <= 4.5 (u = -1/2) if k = l, and 4 - 2 u^2 + 2 class_share^2 <= 4.5 (u = 0)
// otherwise: half of each count comes with the rest at no cost. Where the other sample stands in the stream
// is the same place, so it weighs the same, w <= 1, and w times the distance is no larger.
constexpr double class_share = 0.5;
constexpr double off_diagonal = std::numbers::sqrt2;

// In deviations of the noise in a count: what noise can hide.
constexpr double hidden_counts = 2;
// Of the noise's operator norm; measured for 50 to 500 features, epsilon 1 to 10 and five data sets: less and
// more are worse by about as much.
constexpr double ridge_per_noise = 0.5;
constexpr double clearly_more =
    1.25;  // than the norm of the noise, which is its largest eigenvalue on average
constexpr double length_of_features = 1;  // |psi|^2, the ridge without noise

// Calls visit(number, factor) for every number of the sums that is released.
template <class Sums, class Visit>
void for_each_released(Sums& sums, Visit visit) {
  for (Index column = 0; column < sums.size(); ++column) {
    visit(sums.products(column, column), 1.0);
    for (Index row = column + 1; row < sums.size(); ++row) visit(sums.products(row, column), off_diagonal);
  }
  for (Index k = 0; k < sums.outputs(); ++k) {
    for (Index i = 0; i < sums.size(); ++i) visit(sums.cross(i, k), 1.0);
  }
  for (Index k = 0; k < sums.outputs(); ++k) visit(sums.targets(k), class_share);
}

Vector plausible_counts(const Vector& noisy, const ReleasedShape& shape) {
  const double hidden = hidden_counts * shape.sigma / class_share;
  const Vector counts = noisy.cwiseMax(hidden);
  const double all = counts.sum();
  if (!(all > 0)) return Vector::Constant(noisy.size(), shape.weight / static_cast<double>(noisy.size()));
  return counts * (shape.weight / all);
}

// Off the diagonal of S the noise deviates by sigma / sqrt 2: a symmetric Gaussian matrix.
double norm_of_noise(double sigma, Index features) {
  return sigma * std::sqrt(2 * static_cast<double>(features));
}

}  // namespace

Index released_size(Index features, Index outputs) {
  return features * (features + 1) / 2 + features * outputs + outputs;
}

Matrix released(const FeatureSums& sums) {
  Matrix column(released_size(sums.size(), sums.outputs()), 1);
  Index next = 0;
  for_each_released(sums, [&](double number, double factor) { column(next++) = factor * number; });
  return column;
}

FeatureSums total_of(const MatrixView<double>& noisy, const ReleasedShape& shape) {
  const Index size = released_size(shape.features, shape.outputs);
  if (noisy.rows() != size || noisy.cols() != 1) {
    fail(ErrorCategory::BadData, "a noisy total of moments has {} x {} numbers where {} x 1 are expected",
         noisy.rows(), noisy.cols(), size);
  }
  FeatureSums sums = FeatureSums::none(shape.features, shape.outputs);
  Index next = 0;
  for_each_released(sums, [&](double& number, double factor) { number = noisy(next++, 0) / factor; });
  sums.targets = plausible_counts(sums.targets, shape);
  sums.features = sums.cross.rowwise().sum();
  sums.samples = shape.weight;
  sums.weight = shape.weight;
  sums.squares = shape.weight;  // |y|^2 = 1
  return sums;
}

NoisyAnswer answer_from(const FeatureSums& total, double sigma, Weighing weighing) {
  const RidgeFamily family = ridge_family(weighed(total, weighing));
  const double noise = norm_of_noise(sigma, total.size());
  NoisyAnswer answer{.ridge = length_of_features + ridge_per_noise * noise};
  answer.weights = weights_of(family, answer.ridge);
  answer.seen = (family.values.array() > clearly_more * noise).count();
  return answer;
}

}  // namespace choir::online_kernel
