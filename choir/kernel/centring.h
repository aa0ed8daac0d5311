// Centring in feature space: phi_c(x) = phi(x) - mean of phi over a training set of N samples.
//
//   const Centring centring = Centring::from_row_sums(lower.row_sums());   // of the training Gram
//   CentredOperator<double> op(lower);                              // H K H without forming it
//   centring.centre_rows(block);            // block = k(new, training), n x N: centring of new points
//
// With mean_i = (1/N) sum_n k(x_i, x_n) and grand = mean of the means,
//  k_c(x, x_n) = k(x, x_n) - mean_n - (1/N) sum_m k(x, x_m) + grand.
#pragma once

#include "choir/linalg/symmetric_operator.h"
#include "choir/linalg/types.h"

namespace choir {

class Centring {
 public:
  Centring() = default;  // of no samples
  Centring(Vector means, double grand_mean);
  static Centring from_row_sums(const Vector& row_sums);

  const Vector& means() const { return means_; }  // N
  double grand_mean() const { return grand_mean_; }

  // Replaces k(new_i, x_n) by the centred value; block is n x N.
  void centre_rows(Matrix& block) const;
  // ||phi_c(new_i)||^2 from k(new_i, new_i) and the uncentred k(new_i, x_n): n.
  Vector centred_diagonal(const Vector& diagonal, const Matrix& block) const;
  // trace of the centred training Gram, from its uncentred diagonal.
  double centred_trace(const Vector& diagonal) const { return centred_trace(diagonal.sum()); }
  double centred_trace(double trace) const;

 private:
  Vector means_;
  double grand_mean_ = 0;
};

// K <- H K H for a square training Gram, both triangles; returns its centring.
Centring centre_square(Matrix& gram);

// K <- H_rows K H_cols: each side loses its own mean (the paper's local block centring).
void centre_block(Matrix& block);

// H K H as an operator, H = I - 11'/N, for any operator K.
template <class Scalar>
class CentredOperator final : public SymmetricOperatorOf<Scalar> {
 public:
  explicit CentredOperator(const SymmetricOperatorOf<Scalar>& inner) : inner_(inner) {}
  Index rows() const override { return inner_.rows(); }
  void apply(const MatrixView<Scalar>& x, MatrixSpan<Scalar> y) const override;

 private:
  const SymmetricOperatorOf<Scalar>& inner_;
};

}  // namespace choir
