#include "choir/linalg/lapack.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include <lapacke.h>

#include "choir/base/error.h"

namespace choir::lapack {
namespace {

// LAPACKE names a routine once per scalar; this picks one.
template <class Scalar, class Single, class Double>
auto routine(Single* single, Double* in_double) {
  if constexpr (std::is_same_v<Scalar, float>) {
    return single;
  } else {
    return in_double;
  }
}

lapack_int to_lapack(Index size) {
  if (size > std::numeric_limits<lapack_int>::max())
    fail(ErrorCategory::InvalidArgument,
         "a matrix of {} rows or columns is too large for LAPACK; use fewer samples", size);
  return static_cast<lapack_int>(size);
}

// An illegal argument is a mistake in this file.
void check_arguments(lapack_int info, const char* name) {
  if (info < 0) fail(ErrorCategory::Internal, "LAPACK's {} refused its argument {}", name, -info);
}

// A workspace query's answer; it comes back as a Scalar, and float rounds large ones down.
template <class Scalar>
std::vector<Scalar> workspace(Scalar wanted, std::size_t least) {
  return std::vector<Scalar>(std::max(static_cast<std::size_t>(wanted), least));
}

template <class Scalar>
lapack_int divide_and_conquer(MatrixOf<Scalar>& matrix, VectorOf<Scalar>& values) {
  const auto syevd = routine<Scalar>(LAPACKE_ssyevd_work, LAPACKE_dsyevd_work);
  const lapack_int n = to_lapack(matrix.rows());
  const auto size = static_cast<std::size_t>(n);
  std::vector<Scalar> work(1 + 6 * size + 2 * size * size);
  std::vector<lapack_int> integers(3 + 5 * size);
  return syevd(LAPACK_COL_MAJOR, 'V', 'L', n, matrix.data(), std::max(1, n), values.data(), work.data(),
               to_lapack(static_cast<Index>(work.size())), integers.data(),
               to_lapack(static_cast<Index>(integers.size())));
}

template <class Scalar>
lapack_int relatively_robust(MatrixOf<Scalar>& matrix, VectorOf<Scalar>& values) {
  const auto syevr = routine<Scalar>(LAPACKE_ssyevr_work, LAPACKE_dsyevr_work);
  const lapack_int n = to_lapack(matrix.rows());
  const auto size = static_cast<std::size_t>(n);
  MatrixOf<Scalar> vectors(n, n);
  std::vector<lapack_int> support(2 * size), integers(10 * size);
  std::vector<Scalar> work(26 * size + 64 * size);  // room for blocks of 64 in the reduction
  lapack_int found = 0;
  const lapack_int info =
      syevr(LAPACK_COL_MAJOR, 'V', 'A', 'L', n, matrix.data(), n, 0, 0, 0, 0, 0, &found, values.data(),
            vectors.data(), n, support.data(), work.data(), to_lapack(static_cast<Index>(work.size())),
            integers.data(), to_lapack(static_cast<Index>(integers.size())));
  matrix.swap(vectors);
  return info;
}

// Divide and conquer is never far behind and mostly ahead. Seconds for all eigenpairs of a random Gram
// matrix, OpenBLAS 0.3.21 (Zen), syevd against syevr:
//             n = 50          100            300            1000          2000
// double, 1 thread   .00023/.00023  .00064/.00076  .0065/.0070  .155/.151  1.22/1.10
// double, 2 threads  .00021/.00022  .00076/.00088  .0062/.0070  .098/.138   .62/1.23
// float, 1 thread    .00013/.00015  .00042/.00063  .0045/.0063  .080/.144   .56/1.51
// float, 2 threads   .00017/.00019  .00054/.00071  .0040/.0056  .084/.151   .35/1.40
// But its workspace of 2 n^2 numbers is counted in 32 bits, which ends at n = 32,765.
EigenDriver faster_driver(Index n) {
  constexpr Index largest = 32765;
  return n <= largest ? EigenDriver::divide_and_conquer : EigenDriver::relatively_robust;
}

}  // namespace

template <class Scalar>
bool lower_triangle_is_finite(const MatrixOf<Scalar>& matrix) {
  for (Index j = 0; j < matrix.cols(); ++j)
    if (!matrix.col(j).tail(matrix.rows() - j).allFinite()) return false;
  return true;
}

template <class Scalar>
bool eigen_symmetric(MatrixOf<Scalar>& matrix, VectorOf<Scalar>& values, EigenDriver driver) {
  values.resize(matrix.rows());
  if (matrix.rows() == 0) return true;
  if (driver == EigenDriver::by_size) driver = faster_driver(matrix.rows());
  const lapack_int info = driver == EigenDriver::divide_and_conquer ? divide_and_conquer(matrix, values)
                                                                    : relatively_robust(matrix, values);
  check_arguments(info, "symmetric eigensolver");
  return info == 0;
}

template <class Scalar>
void householder_qr(MatrixOf<Scalar>& matrix, VectorOf<Scalar>& reflectors) {
  const auto geqrf = routine<Scalar>(LAPACKE_sgeqrf_work, LAPACKE_dgeqrf_work);
  const lapack_int m = to_lapack(matrix.rows()), n = to_lapack(matrix.cols()), stride = std::max(1, m);
  reflectors.resize(n);
  Scalar wanted = 0;
  check_arguments(geqrf(LAPACK_COL_MAJOR, m, n, matrix.data(), stride, reflectors.data(), &wanted, -1),
                  "geqrf");
  auto work = workspace(wanted, static_cast<std::size_t>(std::max(1, n)));
  check_arguments(geqrf(LAPACK_COL_MAJOR, m, n, matrix.data(), stride, reflectors.data(), work.data(),
                        to_lapack(static_cast<Index>(work.size()))),
                  "geqrf");
}

template <class Scalar>
void form_q(MatrixOf<Scalar>& matrix, const VectorOf<Scalar>& reflectors) {
  const auto orgqr = routine<Scalar>(LAPACKE_sorgqr_work, LAPACKE_dorgqr_work);
  const lapack_int m = to_lapack(matrix.rows()), n = to_lapack(matrix.cols()), stride = std::max(1, m);
  Scalar wanted = 0;
  check_arguments(orgqr(LAPACK_COL_MAJOR, m, n, n, matrix.data(), stride, reflectors.data(), &wanted, -1),
                  "orgqr");
  auto work = workspace(wanted, static_cast<std::size_t>(std::max(1, n)));
  check_arguments(orgqr(LAPACK_COL_MAJOR, m, n, n, matrix.data(), stride, reflectors.data(), work.data(),
                        to_lapack(static_cast<Index>(work.size()))),
                  "orgqr");
}

bool svd(Matrix& matrix, Vector& values, SingularVectors* vectors) {
  const lapack_int m = to_lapack(matrix.rows()), n = to_lapack(matrix.cols()), least = std::min(m, n);
  values.resize(least);
  if (vectors) {
    vectors->u.resize(m, least);
    vectors->v_transposed.resize(least, n);
  }
  if (least == 0) return true;
  double* u = vectors ? vectors->u.data() : nullptr;
  double* v_transposed = vectors ? vectors->v_transposed.data() : nullptr;
  std::vector<lapack_int> integers(8 * static_cast<std::size_t>(least));
  const auto gesdd = [&](double* work, lapack_int size) {
    const lapack_int info =
        LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, vectors ? 'S' : 'N', m, n, matrix.data(), m, values.data(), u,
                            m, v_transposed, least, work, size, integers.data());
    check_arguments(info, "gesdd");
    return info;
  };
  double wanted = 0;
  gesdd(&wanted, -1);
  auto work = workspace(wanted, 1);
  return gesdd(work.data(), to_lapack(static_cast<Index>(work.size()))) == 0;
}

template <class Scalar>
Index cholesky(MatrixOf<Scalar>& matrix) {
  const auto potrf = routine<Scalar>(LAPACKE_spotrf_work, LAPACKE_dpotrf_work);
  const lapack_int n = to_lapack(matrix.rows());
  const lapack_int info = potrf(LAPACK_COL_MAJOR, 'L', n, matrix.data(), std::max(1, n));
  check_arguments(info, "potrf");
  return info;
}

template <class Scalar>
void inverse_of_factor(MatrixOf<Scalar>& factor) {
  const auto potri = routine<Scalar>(LAPACKE_spotri_work, LAPACKE_dpotri_work);
  const lapack_int n = to_lapack(factor.rows());
  check_arguments(potri(LAPACK_COL_MAJOR, 'L', n, factor.data(), std::max(1, n)), "potri");
}

template <class Scalar>
Scalar reciprocal_condition(const MatrixOf<Scalar>& factor, Scalar norm) {
  const auto pocon = routine<Scalar>(LAPACKE_spocon_work, LAPACKE_dpocon_work);
  const lapack_int n = to_lapack(factor.rows());
  std::vector<Scalar> work(3 * static_cast<std::size_t>(n) + 1);
  std::vector<lapack_int> integers(static_cast<std::size_t>(n) + 1);
  Scalar result = 0;
  check_arguments(pocon(LAPACK_COL_MAJOR, 'L', n, factor.data(), std::max(1, n), norm, &result, work.data(),
                        integers.data()),
                  "pocon");
  return result;
}

template bool lower_triangle_is_finite(const MatrixOf<float>&);
template bool lower_triangle_is_finite(const MatrixOf<double>&);
template bool eigen_symmetric(MatrixOf<float>&, VectorOf<float>&, EigenDriver);
template bool eigen_symmetric(MatrixOf<double>&, VectorOf<double>&, EigenDriver);
template void householder_qr(MatrixOf<float>&, VectorOf<float>&);
template void householder_qr(MatrixOf<double>&, VectorOf<double>&);
template void form_q(MatrixOf<float>&, const VectorOf<float>&);
template void form_q(MatrixOf<double>&, const VectorOf<double>&);
template Index cholesky(MatrixOf<float>&);
template Index cholesky(MatrixOf<double>&);
template void inverse_of_factor(MatrixOf<float>&);
template void inverse_of_factor(MatrixOf<double>&);
template float reciprocal_condition(const MatrixOf<float>&, float);
template double reciprocal_condition(const MatrixOf<double>&, double);

}  // namespace choir::lapack
