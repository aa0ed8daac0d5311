#include "choir/linalg/eigen.h"

#include <algorithm>
#include <utility>

#include "choir/base/error.h"
#include "choir/linalg/block_krylov.h"
#include "choir/linalg/lanczos.h"
#include "choir/linalg/lapack.h"
#include "choir/linalg/ritz.h"
#include "choir/linalg/signs.h"

namespace choir {
namespace {

// The operator as a matrix: its products with the identity, some columns at a time.
template <class Scalar>
MatrixOf<Scalar> materialise(const SymmetricOperatorOf<Scalar>& op) {
  constexpr Index columns = 128;
  const Index n = op.rows();
  MatrixOf<Scalar> matrix(n, n), unit;
  for (Index first = 0; first < n; first += columns) {
    const Index width = std::min(columns, n - first);
    unit.setZero(n, width);
    unit.middleRows(first, width).setIdentity();
    op.apply(unit, matrix.middleCols(first, width));
  }
  return matrix;
}

template <class Scalar>
EigenPairsOf<Scalar> dense_top(const SymmetricOperatorOf<Scalar>& op, const TopEigenOptions& options) {
  const auto matrix = materialise(op);
  options.watch.report("eigenpairs", 1, 2);
  auto all = eigen_symmetric<Scalar>(matrix);
  const double norm = static_cast<double>(all.values.cwiseAbs().maxCoeff());
  EigenPairsOf<Scalar> top;
  top.values = all.values.head(options.count);
  top.vectors = all.vectors.leftCols(options.count);
  top.images = matrix * top.vectors;
  top.residual = eigen_residual(top.images.template cast<double>(), top.vectors.template cast<double>(),
                                top.values.template cast<double>(), norm);
  top.converged = top.residual <= options.tol;
  top.products = op.rows();
  return top;
}

// Seconds for the leading eigenpairs of centred RBF kernel matrices of MNIST, products on 2 threads:
//      n  count  tol     dense  lanczos  block
//    100     10  1e-6    .001     .001    .003
//    300     50  1e-6    .008     .007    .032
//   1000     10  1e-6    .190     .011    .011
//   1000     10  1e-12   .190     .015    .026
//   1000     50  1e-6    .17      .031    .093
//   2000     10  1e-6   1.3       .05     .033
//   2000     50  1e-12   -        .16     .32
//   3000     50  1e-12   -        .60     .56
//   8000     10  1e-6    -       2.1      .83    (49 passes over the matrix against 8)
// (n = 100, 300, 2000 and 8000 were measured when the search for missing copies in lanczos stopped at 1e-3
// instead of 1e-6, which saved it up to a quarter of its columns at n = 1000.)
// While the matrix stays in the cache, Lanczos pays for its fewer columns with nothing and saves the
// orthogonalisation of a large basis (many pairs, or many digits). From memory, passes are what costs.
EigenMethod choose_method(Index n, const TopEigenOptions& options) {
  if (n <= 128 || 6 * options.count >= n) return EigenMethod::dense;
  const bool large_basis = options.count > 20 || options.tol < 1e-8;
  return n <= 2000 && large_basis ? EigenMethod::lanczos : EigenMethod::block_krylov;
}

}  // namespace

template <class Scalar>
EigenPairsOf<Scalar> eigen_symmetric(MatrixOf<Scalar> matrix) {
  if (matrix.rows() != matrix.cols())
    fail(ErrorCategory::InvalidArgument, "a {} x {} matrix has no eigenpairs; it must be square",
         matrix.rows(), matrix.cols());
  if (!lapack::lower_triangle_is_finite(matrix))
    fail(ErrorCategory::Numerical,
         "the {0} x {0} matrix has a NaN or an infinity; its eigenpairs do not exist", matrix.rows());
  EigenPairsOf<Scalar> pairs;
  if (!lapack::eigen_symmetric(matrix, pairs.values))
    fail(ErrorCategory::Numerical,
         "LAPACK found no eigenpairs of the {0} x {0} matrix; check its entries' scale", matrix.rows());
  pairs.values.reverseInPlace();
  matrix.rowwise().reverseInPlace();
  pairs.vectors = std::move(matrix);
  fix_signs<Scalar>(pairs.vectors);
  return pairs;
}

template <class Scalar>
EigenPairsOf<Scalar> top_eigenpairs(const SymmetricOperatorOf<Scalar>& op, const TopEigenOptions& options) {
  const Index n = op.rows();
  if (options.count < 1 || options.count > n)
    fail(ErrorCategory::InvalidArgument, "{} eigenpairs of a {} x {} matrix were requested; request 1 to {}",
         options.count, n, n, n);
  switch (options.method == EigenMethod::automatic ? choose_method(n, options) : options.method) {
    case EigenMethod::lanczos:
      if (options.count < n) return lanczos(op, options);
      [[fallthrough]];  // Lanczos needs a basis larger than the answer
    case EigenMethod::automatic:
    case EigenMethod::dense:
      return dense_top(op, options);
    case EigenMethod::block_krylov:
      return block_krylov(op, options);
  }
  fail(ErrorCategory::Internal, "unknown eigenvalue method");
}

template EigenPairsOf<float> eigen_symmetric(MatrixOf<float>);
template EigenPairsOf<double> eigen_symmetric(MatrixOf<double>);
template EigenPairsOf<float> top_eigenpairs(const SymmetricOperatorOf<float>&, const TopEigenOptions&);
template EigenPairsOf<double> top_eigenpairs(const SymmetricOperatorOf<double>&, const TopEigenOptions&);

}  // namespace choir
