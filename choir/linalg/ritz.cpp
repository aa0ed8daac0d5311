#include "choir/linalg/ritz.h"

#include <algorithm>

#include "choir/base/error.h"
#include "choir/linalg/cholesky.h"
#include "choir/linalg/signs.h"

namespace choir {

template <class Scalar>
void require_finite_product(const MatrixView<Scalar>& product) {
  if (!product.allFinite())
    fail(ErrorCategory::Numerical,
         "a product with the {0} x {0} matrix has a NaN or an infinity; check the data and the kernel's "
         "parameters",
         product.rows());
}

double eigen_residual(const Matrix& images, const Matrix& vectors, const Vector& values, double norm) {
  if (vectors.cols() == 0) return 0;
  const double largest = (images - vectors * values.asDiagonal()).colwise().norm().maxCoeff();
  return largest == 0 ? 0 : largest / norm;
}

template <class Scalar>
EigenPairsOf<Scalar> rayleigh_ritz(const MatrixOf<Scalar>& x, const MatrixOf<Scalar>& ax, Index count,
                                   double norm) {
  const Matrix basis = x.template cast<double>(), images = ax.template cast<double>();
  // X is orthonormal only to the scalar's precision, so the eigenproblem is H y = l G y with G near I.
  const Matrix gram = basis.transpose() * basis;
  const Matrix projected = basis.transpose() * images;
  const Cholesky factor = cholesky(gram, ConditionEstimate::no);
  const Matrix symmetric = (projected + projected.transpose()) / 2;
  const Matrix small = factor.solve_lower(factor.solve_lower(symmetric).transpose());  // L^-1 H L^-T
  const auto ritz = eigen_symmetric<double>(small);
  const Matrix combination = factor.solve_upper(ritz.vectors.leftCols(count));

  const Vector values = ritz.values.head(count);
  const Matrix vectors = basis * combination;
  EigenPairsOf<Scalar> result;
  const Matrix vector_images = images * combination;
  result.residual =
      eigen_residual(vector_images, vectors, values, std::max(norm, values.cwiseAbs().maxCoeff()));
  result.values = values.cast<Scalar>();
  result.vectors = vectors.cast<Scalar>();
  const VectorOf<Scalar> signs = fix_signs<Scalar>(result.vectors);
  result.images = vector_images.cast<Scalar>() * signs.asDiagonal();
  return result;
}

template void require_finite_product<float>(const MatrixView<float>&);
template void require_finite_product<double>(const MatrixView<double>&);
template EigenPairsOf<float> rayleigh_ritz(const MatrixOf<float>&, const MatrixOf<float>&, Index, double);
template EigenPairsOf<double> rayleigh_ritz(const MatrixOf<double>&, const MatrixOf<double>&, Index, double);

}  // namespace choir
