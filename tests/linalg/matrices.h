// Matrices with known spectra, for the tests of linalg.
#pragma once

#include <cstdint>
#include <vector>

#include "choir/base/rng.h"
#include "choir/linalg/symmetric_operator.h"
#include "choir/linalg/types.h"

namespace choir::testing {

Matrix random_matrix(Index rows, Index cols, std::uint64_t seed);

Matrix random_orthonormal(Index rows, Index cols, std::uint64_t seed);

// Q diag(values) Q' with a random orthonormal Q: n x n, exactly symmetric.
Matrix with_spectrum(const Vector& values, std::uint64_t seed);

// 1, 2^-p, 3^-p, ...: about what a kernel matrix of images has with p = 1.1.
Vector power_law(Index n, double p);

Vector descending(Vector values);

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
