#include "choir/linalg/moments.h"

#include <limits>

#include "choir/base/error.h"

namespace choir {

Moments& Moments::operator+=(const Moments& other) {
  if (other.count == 0) return *this;
  if (count == 0) return *this = other;
  if (mean.size() != other.mean.size() || squares.size() != other.squares.size()) {
    fail(ErrorCategory::InvalidArgument, "moments of {} and of {} features cannot be added", mean.size(),
         other.mean.size());
  }
  const double total = count + other.count;
  const Vector shift = other.mean - mean;
  mean += shift * (other.count / total);
  squares += other.squares + shift.cwiseAbs2() * (count * other.count / total);
  count = total;
  return *this;
}

Moments Moments::divided_by(double divisor) const {
  return {.count = count, .mean = mean / divisor, .squares = squares / (divisor * divisor)};
}

Moments entry_moments(const MatrixView<double>& samples) {
  if (samples.size() == 0) return {.count = 0, .mean = Vector::Zero(1), .squares = Vector::Zero(1)};
  const double mean = samples.mean();
  return {.count = static_cast<double>(samples.size()),
          .mean = Vector::Constant(1, mean),
          .squares = Vector::Constant(1, (samples.array() - mean).square().sum())};
}

Moments feature_moments(const MatrixView<double>& samples) {
  const Index features = samples.rows();
  if (samples.cols() == 0) {
    return {.count = 0, .mean = Vector::Zero(features), .squares = Vector::Zero(features)};
  }
  const Vector mean = samples.rowwise().mean();
  Vector squares = Vector::Zero(features);
  for (const auto sample : samples.colwise()) squares += (sample - mean).cwiseAbs2();
  return {.count = static_cast<double>(samples.cols()), .mean = mean, .squares = std::move(squares)};
}

Eigen::Array<bool, Eigen::Dynamic, 1> constant(const Moments& moments) {
  const double rounding = moments.count * std::numeric_limits<double>::epsilon();
  return moments.variance().array() <=
         rounding * moments.variance().array() + (rounding * moments.mean.array()).square();
}

}  // namespace choir
