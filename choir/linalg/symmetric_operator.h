// A symmetric matrix known only by its products. Solvers take this, so a stored, centred, tiled or
// recomputed kernel matrix is just another operator.
//
//   class Scaled : public SymmetricOperator {
//    public:
//     Index rows() const override { return diagonal.rows(); }
//     void apply(const MatrixView<double>& x, MatrixSpan<double> y) const override {
//       y = diagonal.asDiagonal() * x;
//     }
//     Vector diagonal;
//   };
#pragma once

#include "choir/linalg/types.h"

namespace choir {

template <class Scalar>
class SymmetricOperatorOf {
 public:
  virtual ~SymmetricOperatorOf() = default;
  virtual Index rows() const = 0;
  // y = A x, for a block of columns: x and y are N x b and do not overlap.
  virtual void apply(const MatrixView<Scalar>& x, MatrixSpan<Scalar> y) const = 0;
};

using SymmetricOperator = SymmetricOperatorOf<double>;

// A dense symmetric matrix that lives elsewhere; both triangles must be filled.
template <class Scalar>
class DenseOperatorOf final : public SymmetricOperatorOf<Scalar> {
 public:
  explicit DenseOperatorOf(const MatrixOf<Scalar>& matrix) : matrix_(matrix) {}
  Index rows() const override { return matrix_.rows(); }
  void apply(const MatrixView<Scalar>& x, MatrixSpan<Scalar> y) const override { y.noalias() = matrix_ * x; }

 private:
  const MatrixOf<Scalar>& matrix_;
};

using DenseOperator = DenseOperatorOf<double>;

}  // namespace choir
