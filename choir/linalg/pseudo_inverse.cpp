#include "choir/linalg/pseudo_inverse.h"

#include <utility>

#include "choir/base/error.h"
#include "choir/linalg/eigen.h"

namespace choir {
namespace {

void require_rows(Index got, Index expected, const char* what) {
  if (got != expected)
    fail(ErrorCategory::InvalidArgument, "{} has {} rows; the basis needs {}", what, got, expected);
}

}  // namespace

template <class Scalar>
MatrixOf<Scalar> PseudoInverseBasisOf<Scalar>::coords(const MatrixView<Scalar>& y) const {
  require_rows(y.rows(), V.rows(), "the block of inner products");
  return L.cwiseSqrt().cwiseInverse().asDiagonal() * (V.transpose() * y);
}

template <class Scalar>
MatrixOf<Scalar> PseudoInverseBasisOf<Scalar>::lift(const MatrixView<Scalar>& v) const {
  require_rows(v.rows(), rank(), "the block of coordinates");
  return V * (L.cwiseSqrt().cwiseInverse().asDiagonal() * v);
}

template <class Scalar>
PseudoInverseBasisOf<Scalar> pseudo_inverse_basis(MatrixOf<Scalar> matrix, double cutoff) {
  if (!(cutoff >= 0 && cutoff < 1))
    fail(ErrorCategory::InvalidArgument, "the rank cutoff is {}; it must be at least 0 and below 1", cutoff);
  const auto pairs = eigen_symmetric(std::move(matrix));
  const Index n = pairs.values.size();
  const double threshold = n == 0 ? 0 : cutoff * static_cast<double>(pairs.values[0]);
  Index rank = 0;  // descending values: the kept ones lead
  while (rank < n && pairs.values[rank] > 0 && static_cast<double>(pairs.values[rank]) > threshold) ++rank;
  return {.V = pairs.vectors.leftCols(rank), .L = pairs.values.head(rank)};
}

template struct PseudoInverseBasisOf<float>;
template struct PseudoInverseBasisOf<double>;
template PseudoInverseBasisOf<float> pseudo_inverse_basis(MatrixOf<float>, double);
template PseudoInverseBasisOf<double> pseudo_inverse_basis(MatrixOf<double>, double);

}  // namespace choir
