// Matrices with known spectra, for the tests of linalg.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include <Eigen/QR>

#include "choir/base/rng.h"
#include "choir/linalg/symmetric_operator.h"
#include "choir/linalg/types.h"

namespace choir::testing {

inline Matrix random_matrix(Index rows, Index cols, std::uint64_t seed) {
  Rng rng(seed, Purpose("linalg test"));
  Matrix m(rows, cols);
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = rng.normal();
  return m;
}

inline Matrix random_orthonormal(Index rows, Index cols, std::uint64_t seed) {
  const Eigen::HouseholderQR<Matrix> qr(random_matrix(rows, cols, seed));
  return qr.householderQ() * Matrix::Identity(rows, cols);
}

// Q diag(values) Q' with a random orthonormal Q: n x n, exactly symmetric.
inline Matrix with_spectrum(const Vector& values, std::uint64_t seed) {
  const Matrix q = random_orthonormal(values.size(), values.size(), seed);
  const Matrix m = q * values.asDiagonal() * q.transpose();
  return (m + m.transpose()) / 2;
}

// 1, 2^-p, 3^-p, ...: about what a kernel matrix of images has with p = 1.1.
inline Vector power_law(Index n, double p) {
  Vector values(n);
  for (Index k = 0; k < n; ++k) values[k] = std::pow(static_cast<double>(k + 1), -p);
  return values;
}

inline Vector descending(Vector values) {
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}

template <class Scalar>
double orthonormality_error(const MatrixOf<Scalar>& q) {
  if (q.cols() == 0) return 0;
  const Matrix wide = q.template cast<double>();
  return (wide.transpose() * wide - Matrix::Identity(q.cols(), q.cols())).cwiseAbs().maxCoeff();
}

// A diagonal matrix that counts its products and is large at no cost.
template <class Scalar>
class DiagonalOperator final : public SymmetricOperatorOf<Scalar> {
 public:
  explicit DiagonalOperator(const Vector& diagonal) : diagonal_(diagonal.cast<Scalar>()) {}
  Index rows() const override { return diagonal_.size(); }
  void apply(const MatrixView<Scalar>& x, MatrixSpan<Scalar> y) const override {
    y = diagonal_.asDiagonal() * x;
    columns += x.cols();
    ++passes;
  }
  mutable Index columns = 0, passes = 0;

 private:
  VectorOf<Scalar> diagonal_;
};

}  // namespace choir::testing
