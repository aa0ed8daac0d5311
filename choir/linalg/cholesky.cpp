#include "choir/linalg/cholesky.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "choir/base/error.h"
#include "choir/linalg/eigen.h"
#include "choir/linalg/lapack.h"

namespace choir {
namespace {

template <class Scalar>
bool has_factor(MatrixOf<Scalar> matrix, double jitter) {
  matrix.diagonal().array() += static_cast<Scalar>(jitter);
  return lapack::cholesky(matrix) == 0;
}

// What remains of a_kk once the k-1 rows above have explained their share.
template <class Scalar>
double failing_pivot(const MatrixOf<Scalar>& matrix, Index minor) {
  const Index above = minor - 1;
  MatrixOf<Scalar> lower = matrix.topLeftCorner(above, above);
  lapack::cholesky(lower);
  const VectorOf<Scalar> explained =
      lower.template triangularView<Eigen::Lower>().solve(matrix.row(above).head(above).transpose());
  return static_cast<double>(matrix(above, above) - explained.squaredNorm());
}

// Lifts the smallest eigenvalue just above the rounding errors of a factorisation.
template <class Scalar>
double smallest_jitter(const MatrixOf<Scalar>& matrix) {
  const auto values = eigen_symmetric(matrix).values;
  const double largest = static_cast<double>(values.cwiseAbs().maxCoeff());
  const double smallest = static_cast<double>(values[values.size() - 1]);
  double rounding =
      std::max(largest, 1.0 * std::numeric_limits<Scalar>::min()) * std::numeric_limits<Scalar>::epsilon();
  while (!has_factor(matrix, std::max(-smallest, 0.0) + rounding)) rounding *= 2;
  return std::max(-smallest, 0.0) + rounding;
}

// ||A||_1 of a symmetric matrix of which only the lower triangle counts.
template <class Scalar>
Scalar one_norm(const MatrixOf<Scalar>& matrix) {
  const MatrixOf<Scalar> full = matrix.template selfadjointView<Eigen::Lower>();
  return full.cwiseAbs().colwise().sum().maxCoeff();
}

}  // namespace

template <class Scalar>
CholeskyOf<Scalar> cholesky(const MatrixOf<Scalar>& matrix, ConditionEstimate estimate) {
  const Index n = matrix.rows();
  if (n != matrix.cols())
    fail(ErrorCategory::InvalidArgument, "a {} x {} matrix has no Cholesky factor; it must be square", n,
         matrix.cols());
  if (!lapack::lower_triangle_is_finite(matrix))
    fail(ErrorCategory::Numerical, "the {0} x {0} matrix has a NaN or an infinity; it has no Cholesky factor",
         n);

  CholeskyOf<Scalar> result;
  if (n == 0) {
    result.positive_definite = true;
    return result;
  }
  result.lower = matrix.template triangularView<Eigen::Lower>();
  result.failed_minor = lapack::cholesky(result.lower);
  result.positive_definite = result.failed_minor == 0;
  if (result.positive_definite) {
    if (estimate == ConditionEstimate::no) return result;
    result.condition = 1 / static_cast<double>(lapack::reciprocal_condition(result.lower, one_norm(matrix)));
    return result;
  }
  result.lower.resize(0, 0);
  result.pivot = failing_pivot(matrix, result.failed_minor);
  result.jitter = smallest_jitter(matrix);
  result.diagnosis = fmt::format(
      "the {0} x {0} matrix is not positive definite: its leading minor of order {1} has the pivot {2:.3g}; "
      "adding {3:.3g} to the diagonal is enough",
      n, result.failed_minor, result.pivot, result.jitter);
  return result;
}

template <class Scalar>
void CholeskyOf<Scalar>::require_solvable(const MatrixView<Scalar>& b) const {
  if (!positive_definite) throw Error(ErrorCategory::Numerical, diagnosis);
  if (b.rows() != lower.rows())
    fail(ErrorCategory::InvalidArgument, "the right-hand side has {} rows but the matrix has {}", b.rows(),
         lower.rows());
}

template <class Scalar>
MatrixOf<Scalar> CholeskyOf<Scalar>::solve_lower(const MatrixView<Scalar>& b) const {
  require_solvable(b);
  return lower.template triangularView<Eigen::Lower>().solve(b);
}

template <class Scalar>
MatrixOf<Scalar> CholeskyOf<Scalar>::solve_upper(const MatrixView<Scalar>& b) const {
  require_solvable(b);
  return lower.template triangularView<Eigen::Lower>().transpose().solve(b);
}

template <class Scalar>
MatrixOf<Scalar> CholeskyOf<Scalar>::solve(const MatrixView<Scalar>& b) const {
  return solve_upper(solve_lower(b));
}

template <class Scalar>
MatrixOf<Scalar> CholeskyOf<Scalar>::inverse_lower_triangle() const {
  if (!positive_definite) throw Error(ErrorCategory::Numerical, diagnosis);
  MatrixOf<Scalar> inverse = lower;
  lapack::inverse_of_factor(inverse);
  return inverse;
}

template struct CholeskyOf<float>;
template struct CholeskyOf<double>;
template CholeskyOf<float> cholesky(const MatrixOf<float>&, ConditionEstimate);
template CholeskyOf<double> cholesky(const MatrixOf<double>&, ConditionEstimate);

}  // namespace choir
