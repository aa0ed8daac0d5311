#include "choir/learn/online_kernel/newcomers.h"

#include <cmath>

namespace choir::online_kernel {
namespace {

constexpr double explained = 1e-6;  // share of k(x,x) that may be left over

// The Cholesky factor of what the atoms leave over of the fresh samples' kernel matrix: with S = K_BB -
// K_BD P K_DB, a sample is explained if nothing of S_bb is left once the fresh ones before it have had their
// share.
class BorderedFactor {
 public:
  explicit BorderedFactor(Index samples) : lower_(samples, samples) {}

  // L^-1 of the sample's products with the fresh ones before it.
  Vector reduce(Vector products) const {
    lower_.topLeftCorner(size_, size_).triangularView<Eigen::Lower>().solveInPlace(products);
    return products;
  }
  Vector solve_transposed(Vector reduced) const {
    lower_.topLeftCorner(size_, size_).transpose().triangularView<Eigen::Upper>().solveInPlace(reduced);
    return reduced;
  }
  void append(const Vector& reduced, double pivot) {
    lower_.row(size_).head(size_) = reduced.transpose();
    lower_(size_, size_) = pivot;
    ++size_;
  }
  Matrix lower() const { return lower_.topLeftCorner(size_, size_).triangularView<Eigen::Lower>(); }

 private:
  Matrix lower_;
  Index size_ = 0;
};

}  // namespace

Newcomers explain(const KernelInverse& inverse, const Matrix& cross, const Matrix& corner,
                  const Matrix& coefficients, double allowance) {
  const Index samples = corner.rows();
  const Matrix images = inverse.values * cross;
  Matrix schur = corner;
  if (cross.rows() > 0) schur.noalias() -= cross.transpose() * images;

  Newcomers result;
  result.weights = Matrix(samples, coefficients.cols());
  Matrix taken_over = Matrix::Zero(samples, coefficients.cols());  // the atoms get images times this
  BorderedFactor factor(samples);
  for (Index b = 0; b < samples; ++b) {
    const auto fresh = static_cast<Index>(result.fresh.size());
    const Vector reduced = factor.reduce(schur(result.fresh, b));
    const double left = schur(b, b) - reduced.squaredNorm();
    const double lost = coefficients.row(b).squaredNorm() * left;
    if (left > explained * corner(b, b) && lost > allowance) {
      factor.append(reduced, std::sqrt(left + inverse.jitter));
      result.weights.row(fresh) = coefficients.row(b);
      result.fresh.push_back(b);
      continue;
    }
    const Vector q = factor.solve_transposed(reduced);
    taken_over.row(b) += coefficients.row(b);
    for (Index k = 0; k < fresh; ++k) {
      result.weights.row(k) += q(k) * coefficients.row(b);
      taken_over.row(result.fresh[static_cast<std::size_t>(k)]) -= q(k) * coefficients.row(b);
    }
    if (left > explained * corner(b, b)) result.squared_error += lost;
  }
  result.weights.conservativeResize(static_cast<Index>(result.fresh.size()), Eigen::NoChange);
  result.for_atoms = images * taken_over;
  result.images = images(Eigen::all, result.fresh);
  result.lower = factor.lower();
  return result;
}

}  // namespace choir::online_kernel
