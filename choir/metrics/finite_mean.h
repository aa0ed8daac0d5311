// The mean of what is known: nodes without an answer have NaN.
//
//   const double similarity = finite_mean(by_node.col(0));
#pragma once

#include <cmath>
#include <limits>

namespace choir {

// NaN if nothing is finite.
template <class Values>
double finite_mean(const Values& values) {
  double sum = 0;
  double count = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    sum += value;
    ++count;
  }
  return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace choir
