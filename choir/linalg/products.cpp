#include "choir/linalg/products.h"

#include <algorithm>
#include <limits>

#include <cblas.h>

#include "choir/base/error.h"

namespace choir::detail {
namespace {

// Below this sum of the three sizes, as in Eigen, BLAS takes longer to begin than the product takes.
constexpr Eigen::Index too_small_for_blas = 20;

blasint as_blasint(Eigen::Index size) {
  if (size > std::numeric_limits<blasint>::max())
    fail(ErrorCategory::InvalidArgument,
         "a matrix has more than 2^31 rows or columns, which BLAS cannot multiply; use fewer samples per "
         "node");
  return static_cast<blasint>(size);
}

template <class Scalar>
struct Operand {
  CBLAS_TRANSPOSE transposed;  // as BLAS sees it: by columns
  const Scalar* data;
  blasint stride;

  explicit Operand(const Stored<const Scalar>& matrix)
      : transposed(matrix.by_rows ? CblasTrans : CblasNoTrans),
        data(matrix.data),
        stride(as_blasint(std::max<Eigen::Index>(matrix.stride, 1))) {}
};

void gemm(const Operand<double>& a, const Operand<double>& b, blasint m, blasint n, blasint k, double alpha,
          double beta, double* c, blasint stride) {
  cblas_dgemm(CblasColMajor, a.transposed, b.transposed, m, n, k, alpha, a.data, a.stride, b.data, b.stride,
              beta, c, stride);
}

void gemm(const Operand<float>& a, const Operand<float>& b, blasint m, blasint n, blasint k, float alpha,
          float beta, float* c, blasint stride) {
  cblas_sgemm(CblasColMajor, a.transposed, b.transposed, m, n, k, alpha, a.data, a.stride, b.data, b.stride,
              beta, c, stride);
}

void gemv(const Operand<double>& a, blasint rows, blasint columns, double alpha, const double* x,
          blasint x_step, double beta, double* y, blasint y_step) {
  cblas_dgemv(CblasColMajor, a.transposed, rows, columns, alpha, a.data, a.stride, x, x_step, beta, y,
              y_step);
}

void gemv(const Operand<float>& a, blasint rows, blasint columns, float alpha, const float* x, blasint x_step,
          float beta, float* y, blasint y_step) {
  cblas_sgemv(CblasColMajor, a.transposed, rows, columns, alpha, a.data, a.stride, x, x_step, beta, y,
              y_step);
}

template <class Scalar>
Stored<Scalar> transpose(const Stored<Scalar>& matrix) {
  return {matrix.data, matrix.columns, matrix.rows, matrix.stride, !matrix.by_rows};
}

// The distance between neighbours in a column, and between neighbours in a row.
template <class Scalar>
Eigen::Index down(const Stored<Scalar>& matrix) {
  return matrix.by_rows ? matrix.stride : 1;
}
template <class Scalar>
Eigen::Index across(const Stored<Scalar>& matrix) {
  return matrix.by_rows ? 1 : matrix.stride;
}

template <class Scalar>
void multiply_small(Scalar alpha, const Stored<const Scalar>& a, const Stored<const Scalar>& b, Scalar beta,
                    const Stored<Scalar>& result) {
  for (Eigen::Index j = 0; j < result.columns; ++j)
    for (Eigen::Index i = 0; i < result.rows; ++i) {
      Scalar sum = 0;
      for (Eigen::Index k = 0; k < a.columns; ++k)
        sum += a.data[i * down(a) + k * across(a)] * b.data[k * down(b) + j * across(b)];
      Scalar& entry = result.data[i * down(result) + j * across(result)];
      entry = beta == 0 ? alpha * sum : alpha * sum + beta * entry;
    }
}

// result has one column.
template <class Scalar>
void multiply_vector(Scalar alpha, const Stored<const Scalar>& a, const Stored<const Scalar>& b, Scalar beta,
                     const Stored<Scalar>& result) {
  const blasint rows = as_blasint(a.rows);
  const blasint columns = as_blasint(a.columns);
  gemv(Operand<Scalar>(a), a.by_rows ? columns : rows, a.by_rows ? rows : columns, alpha, b.data,
       as_blasint(down(b)), beta, result.data, as_blasint(down(result)));
}

template <class Scalar>
void multiply_any(Scalar alpha, const Stored<const Scalar>& a, const Stored<const Scalar>& b, Scalar beta,
                  const Stored<Scalar>& result) {
  if (result.rows == 0 || result.columns == 0) return;
  if (result.rows + result.columns + a.columns < too_small_for_blas || a.columns == 0)
    return multiply_small(alpha, a, b, beta, result);
  if (result.columns == 1) return multiply_vector(alpha, a, b, beta, result);
  if (result.rows == 1) return multiply_vector(alpha, transpose(b), transpose(a), beta, transpose(result));
  if (result.by_rows) return multiply_any(alpha, transpose(b), transpose(a), beta, transpose(result));
  gemm(Operand<Scalar>(a), Operand<Scalar>(b), as_blasint(result.rows), as_blasint(result.columns),
       as_blasint(a.columns), alpha, beta, result.data, as_blasint(result.stride));
}

}  // namespace

void multiply(double alpha, const Stored<const double>& a, const Stored<const double>& b, double beta,
              const Stored<double>& result) {
  multiply_any(alpha, a, b, beta, result);
}

void multiply(float alpha, const Stored<const float>& a, const Stored<const float>& b, float beta,
              const Stored<float>& result) {
  multiply_any(alpha, a, b, beta, result);
}

}  // namespace choir::detail
