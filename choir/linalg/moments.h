// Count, mean and sum of squared deviations of a set of numbers: what variances are made of, and what nodes
// can add up without showing a sample.
//
//   Moments all = feature_moments(shard);         // per feature; entry_moments(shard): over all entries
//   all += feature_moments(other_shard);          // of the union
//   const Vector variance = all.variance();
//
// Sums of squares lose their digits far from zero; deviations from the mean do not (Chan, Golub and LeVeque
// 1983). The result of += depends on the order only by rounding.
#pragma once

#include "choir/linalg/types.h"

namespace choir {

struct Moments {
  double count = 0;
  Vector mean = {};     // L: one for each quantity
  Vector squares = {};  // L: sum of (x - mean)^2

  Moments& operator+=(const Moments& other);           // throws Error(InvalidArgument) if L differs
  Vector variance() const { return squares / count; }  // L, the population's
  Moments divided_by(double divisor) const;            // of x / divisor
};

// Of all entries together: L = 1, count = M N.
Moments entry_moments(const MatrixView<double>& samples);
// Of each feature: L = M, count = N.
Moments feature_moments(const MatrixView<double>& samples);

// Whether nothing but rounding is left of each variance, by scikit-learn's rule for constant features. L.
Eigen::Array<bool, Eigen::Dynamic, 1> constant(const Moments& moments);

}  // namespace choir
