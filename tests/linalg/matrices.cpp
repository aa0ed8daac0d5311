#include "linalg/matrices.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <Eigen/QR>

#include "choir/base/rng.h"

namespace choir::testing {

Matrix random_matrix(Index rows, Index cols, std::uint64_t seed) {
  Rng rng(seed, Purpose("linalg test"));
  Matrix m(rows, cols);
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = rng.normal();
  return m;
}

Matrix random_orthonormal(Index rows, Index cols, std::uint64_t seed) {
  const Eigen::HouseholderQR<Matrix> qr(random_matrix(rows, cols, seed));
  return qr.householderQ() * Matrix::Identity(rows, cols);
}

Matrix with_spectrum(const Vector& values, std::uint64_t seed) {
  const Matrix q = random_orthonormal(values.size(), values.size(), seed);
  const Matrix m = q * values.asDiagonal() * q.transpose();
  return (m + m.transpose()) / 2;
}

Vector power_law(Index n, double p) {
  Vector values(n);
  for (Index k = 0; k < n; ++k) values[k] = std::pow(static_cast<double>(k + 1), -p);
  return values;
}

Vector descending(Vector values) {
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}

}  // namespace choir::testing
