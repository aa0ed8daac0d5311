// Small data sets for the tests of the methods.
#pragma once

#include "choir/base/rng.h"
#include "choir/linalg/types.h"

namespace choir::testing_toys {

// Normal samples whose features have falling scales, so that components are well apart. M x N.
inline Samples falling_scales(Index features, Index count, std::uint64_t seed = 1) {
  Rng rng(seed, Purpose("toy"));
  Samples samples(features, count);
  for (Index n = 0; n < count; ++n) {
    for (Index m = 0; m < features; ++m) samples(m, n) = rng.normal() * 3 / static_cast<double>(1 + m) + 0.5;
  }
  return samples;
}

// Largest difference between columns once each pair is given the same sign.
inline double difference_up_to_sign(const Matrix& a, const Matrix& b) {
  double worst = 0;
  for (Index d = 0; d < a.cols(); ++d) {
    const double sign = a.col(d).dot(b.col(d)) < 0 ? -1 : 1;
    worst = std::max(worst, (a.col(d) - sign * b.col(d)).cwiseAbs().maxCoeff());
  }
  return worst;
}

}  // namespace choir::testing_toys
