#include "choir/learn/online_kernel/feature_sums.h"

#include <algorithm>

#include "choir/base/error.h"

namespace choir::online_kernel {
namespace {

constexpr Index leading_numbers = 3;  // samples, weight, squares

// Calls visit(number) for every number of the sums that the chosen features have, in the order of a row.
template <class Sums, class Visit>
void for_each_number(Sums& sums, const std::vector<Index>& chosen, Visit visit) {
  visit(sums.samples);
  visit(sums.weight);
  visit(sums.squares);
  for (Index k = 0; k < sums.outputs(); ++k) visit(sums.targets(k));
  for (const Index i : chosen) visit(sums.features(i));
  for (Index k = 0; k < sums.outputs(); ++k) {
    for (const Index i : chosen) visit(sums.cross(i, k));
  }
  for (std::size_t column = 0; column < chosen.size(); ++column) {
    for (std::size_t row = column; row < chosen.size(); ++row)
      visit(sums.products(chosen[row], chosen[column]));  // chosen ascend: this is the lower triangle
  }
}

std::vector<Index> first_features(Index count) {
  std::vector<Index> all(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) all[static_cast<std::size_t>(i)] = i;
  return all;
}

}  // namespace

FeatureSums FeatureSums::none(Index features, Index outputs) {
  FeatureSums sums;
  sums.features = Vector::Zero(features);
  sums.targets = Vector::Zero(outputs);
  sums.cross = Matrix::Zero(features, outputs);
  sums.products = Matrix::Zero(features, features);
  return sums;
}

void FeatureSums::learn(const Matrix& psi, const Matrix& y, const Vector& weights) {
  if (psi.cols() == 0) return;
  const Matrix weighted = psi * weights.asDiagonal();
  samples += static_cast<double>(psi.cols());
  weight += weights.sum();
  squares += weights.dot(Vector(y.rowwise().squaredNorm()));
  features += weighted.rowwise().sum();
  targets += y.transpose() * weights;
  cross.noalias() += weighted * y;
  products.noalias() += weighted * psi.transpose();
}

void FeatureSums::forget(double factor) {
  if (factor == 1) return;
  samples *= factor;
  weight *= factor;
  squares *= factor;
  features *= factor;
  targets *= factor;
  cross *= factor;
  products *= factor;
}

FeatureSums& FeatureSums::operator+=(const FeatureSums& other) {
  samples += other.samples;
  weight += other.weight;
  squares += other.squares;
  features += other.features;
  targets += other.targets;
  cross += other.cross;
  products += other.products;
  return *this;
}

Vector balancing_factors(const FeatureSums& sums) {
  const auto present = static_cast<double>((sums.targets.array() > 0).count());
  const double wanted = sums.targets.sum() / std::max(present, 1.0);
  return sums.targets.unaryExpr([&](double weight) { return weight > 0 ? wanted / weight : 1; });
}

// T has a column sum of w psi for every class: its weight times its mean.
FeatureSums rebalanced(FeatureSums sums, const Vector& factors) {
  for (Index k = 0; k < sums.outputs(); ++k) {
    if (sums.targets(k) <= 0) continue;
    const double change = factors(k) - 1;
    const Vector column = sums.cross.col(k);
    sums.products += change / sums.targets(k) * column * column.transpose();
    sums.features += change * column;
  }
  sums.cross = sums.cross * factors.asDiagonal();
  sums.targets = sums.targets.cwiseProduct(factors);
  sums.weight = sums.targets.sum();
  sums.squares = sums.weight;
  return sums;
}

FeatureSums weighed(const FeatureSums& sums, Weighing weighing) {
  return weighing == Weighing::balanced ? rebalanced(sums, balancing_factors(sums)) : sums;
}

Index packed_size(Index features, Index outputs) {
  return leading_numbers + outputs + features * (1 + outputs) + features * (features + 1) / 2;
}

Matrix FeatureSums::packed(const std::vector<Index>& chosen) const {
  Matrix row(1, packed_size(std::ssize(chosen), outputs()));
  Index next = 0;
  for_each_number(*this, chosen, [&](double number) { row(0, next++) = number; });
  return row;
}

FeatureSums FeatureSums::unpacked(const MatrixView<double>& row, Index features, Index outputs) {
  if (row.rows() != 1 || row.cols() != packed_size(features, outputs)) {
    fail(ErrorCategory::BadData, "a total of moments has {} x {} numbers where 1 x {} are expected",
         row.rows(), row.cols(), packed_size(features, outputs));
  }
  FeatureSums sums = none(features, outputs);
  Index next = 0;
  for_each_number(sums, first_features(features), [&](double& number) { number = row(0, next++); });
  return sums;
}

}  // namespace choir::online_kernel
