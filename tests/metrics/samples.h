// Matrices that a few lines of numpy make again, for golden values.
#pragma once

#include <cmath>

#include "choir/base/rng.h"
#include "choir/linalg/types.h"

namespace choir::testing {

// np.array([[np.sin(s + 1.3*i + 2.1*j*j + 0.7*i*j) for j in range(columns)] for i in range(rows)])
inline Matrix wave_matrix(Index rows, Index columns, double s) {
  Matrix matrix(rows, columns);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      const auto x = static_cast<double>(i);
      const auto y = static_cast<double>(j);
      matrix(i, j) = std::sin(s + 1.3 * x + 2.1 * y * y + 0.7 * x * y);
    }
  }
  return matrix;
}

inline Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Rng rng(seed, Purpose("test/metrics"));
  Matrix matrix(rows, columns);
  for (double& entry : matrix.reshaped()) entry = rng.normal();
  return matrix;
}

}  // namespace choir::testing
