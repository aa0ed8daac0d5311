#include "choir/kernel/centring.h"

#include <utility>

#include "choir/base/error.h"

namespace choir {

Centring::Centring(Vector means, double grand_mean) : means_(std::move(means)), grand_mean_(grand_mean) {}

Centring Centring::from_row_sums(const Vector& row_sums) {
  if (row_sums.size() == 0) return {};
  Vector means = row_sums / static_cast<double>(row_sums.size());
  const double grand_mean = means.mean();
  return {std::move(means), grand_mean};
}

void Centring::centre_rows(Matrix& block) const {
  if (block.cols() != means_.size()) {
    fail(ErrorCategory::InvalidArgument,
         "a kernel block with {} columns cannot be centred by a training set of {} samples", block.cols(),
         means_.size());
  }
  if (block.cols() == 0) return;
  const Vector own_means = block.rowwise().mean();
  for (Index n = 0; n < block.cols(); ++n) {
    block.col(n).array() += (grand_mean_ - means_(n)) - own_means.array();
  }
}

Vector Centring::centred_diagonal(const Vector& diagonal, const Matrix& block) const {
  if (block.cols() != means_.size() || block.rows() != diagonal.size()) {
    fail(ErrorCategory::InvalidArgument,
         "the kernel block is {} x {} but {} new points and {} training samples were given", block.rows(),
         block.cols(), diagonal.size(), means_.size());
  }
  if (block.cols() == 0) return diagonal;
  return (diagonal - 2 * block.rowwise().mean()).array() + grand_mean_;
}

double Centring::centred_trace(double trace) const {
  return trace - static_cast<double>(means_.size()) * grand_mean_;
}

Centring centre_square(Matrix& gram) {
  if (gram.rows() != gram.cols()) {
    fail(ErrorCategory::InvalidArgument, "a training kernel matrix must be square; this one is {} x {}",
         gram.rows(), gram.cols());
  }
  const Centring centring = Centring::from_row_sums(gram.rowwise().sum());
  for (Index j = 0; j < gram.cols(); ++j) {
    gram.col(j).array() += (centring.grand_mean() - centring.means()(j)) - centring.means().array();
  }
  return centring;
}

void centre_block(Matrix& block) {
  if (block.size() == 0) return;
  const Vector row_means = block.rowwise().mean();
  const double grand_mean = row_means.mean();
  for (Index j = 0; j < block.cols(); ++j) {
    const double shift = grand_mean - block.col(j).mean();
    block.col(j).array() += shift - row_means.array();
  }
}

template <class Scalar>
void CentredOperator<Scalar>::apply(const MatrixView<Scalar>& x, MatrixSpan<Scalar> y) const {
  const auto mean = [](const auto& column) {
    return static_cast<Scalar>(column.template cast<double>().mean());
  };
  MatrixOf<Scalar> centred(x.rows(), x.cols());
  for (Index j = 0; j < x.cols(); ++j) centred.col(j) = x.col(j).array() - mean(x.col(j));
  inner_.apply(centred, y);
  for (Index j = 0; j < y.cols(); ++j) y.col(j).array() -= mean(y.col(j));
}

template class CentredOperator<double>;
template class CentredOperator<float>;

}  // namespace choir
