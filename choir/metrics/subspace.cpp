#include "choir/metrics/subspace.h"

#include <algorithm>
#include <cmath>

#include "choir/base/error.h"
#include "choir/linalg/qr.h"
#include "choir/linalg/svd.h"

namespace choir {
namespace {

Matrix orthonormal_basis(const MatrixView<double>& basis) {
  if (basis.size() == 0 || basis.cols() > basis.rows()) {
    fail(ErrorCategory::InvalidArgument, "a {} x {} matrix is not a basis; it needs 1 to {} columns",
         basis.rows(), basis.cols(), basis.rows());
  }
  auto [q, r] = thin_qr<double>(basis);
  // A column is dependent if what the others leave of it is rounding error against its own length.
  constexpr double dependent = 1e-13;
  for (Index d = 0; d < r.cols(); ++d) {
    if (!(std::abs(r(d, d)) > dependent * r.col(d).head(d + 1).norm())) {
      fail(ErrorCategory::InvalidArgument,
           "column {} of a {} x {} basis is zero or depends on those before it; omit it", d, basis.rows(),
           basis.cols());
    }
  }
  return std::move(q);
}

struct Bases {
  Matrix larger;
  Matrix smaller;  // the one with fewer columns
};

Bases orthonormal_bases(const MatrixView<double>& v, const MatrixView<double>& w) {
  if (v.rows() != w.rows()) {
    fail(ErrorCategory::InvalidArgument, "the subspaces lie in {} and {} dimensions and cannot be compared",
         v.rows(), w.rows());
  }
  Matrix first = orthonormal_basis(v);
  Matrix second = orthonormal_basis(w);
  if (first.cols() < second.cols()) std::swap(first, second);
  return {.larger = std::move(first), .smaller = std::move(second)};
}

// What of the smaller basis lies outside the larger subspace; its singular values are the sines.
Matrix outside(const Bases& bases) {
  return bases.smaller - bases.larger * (bases.larger.transpose() * bases.smaller);
}

}  // namespace

Vector principal_angles(const MatrixView<double>& v, const MatrixView<double>& w) {
  const Bases bases = orthonormal_bases(v, w);
  const Vector cosines = singular_values(bases.larger.transpose() * bases.smaller);
  const Vector sines = singular_values(outside(bases)).reverse();
  // Near 0 the cosine, near a right angle the sine has lost the digits that the other keeps.
  Vector angles(cosines.size());
  for (Index d = 0; d < angles.size(); ++d) {
    const bool small = cosines[d] > sines[d];
    angles[d] = small ? std::asin(std::min(1.0, sines[d])) : std::acos(std::min(1.0, cosines[d]));
  }
  return angles;
}

SinTheta sin_theta(const MatrixView<double>& v, const MatrixView<double>& w) {
  const Matrix rest = outside(orthonormal_bases(v, w));
  return {.spectral = std::min(1.0, singular_values(rest)[0]), .frobenius = rest.norm()};
}

double subspace_error(const MatrixView<double>& v, const MatrixView<double>& w) {
  if (v.cols() != w.cols()) {
    fail(ErrorCategory::InvalidArgument,
         "subspaces of {} and {} directions have no subspace error; both need the same number", v.cols(),
         w.cols());
  }
  return outside(orthonormal_bases(v, w)).squaredNorm();
}

double smallest_cosine(const MatrixView<double>& v, const MatrixView<double>& w) {
  const Bases bases = orthonormal_bases(v, w);
  return std::min(1.0, singular_values(bases.larger.transpose() * bases.smaller).minCoeff());
}

double captured_variance(const Matrix& covariance, const MatrixView<double>& v,
                         const VectorView<double>& eigenvalues) {
  if (covariance.rows() != covariance.cols() || covariance.rows() != v.rows()) {
    fail(ErrorCategory::InvalidArgument, "a {} x {} covariance does not belong to directions of {} entries",
         covariance.rows(), covariance.cols(), v.rows());
  }
  const double best = best_variance(eigenvalues, v.cols());
  const Matrix basis = orthonormal_basis(v);
  return basis.cwiseProduct(covariance * basis).sum() / best;
}

double best_variance(const VectorView<double>& eigenvalues, Index directions) {
  if (directions < 1 || eigenvalues.size() < directions) {
    fail(ErrorCategory::InvalidArgument, "{} eigenvalues are too few to judge {} directions",
         eigenvalues.size(), directions);
  }
  const double best = eigenvalues.head(directions).sum();
  if (!(best > 0)) {
    throw Error(ErrorCategory::InvalidArgument,
                "the data do not vary, so there is no variance to take a share of");
  }
  return best;
}

}  // namespace choir
