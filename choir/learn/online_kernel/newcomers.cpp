#include "choir/learn/online_kernel/newcomers.h"

#include <cmath>
#include <utility>

namespace choir::online_kernel {
namespace {

constexpr double explained = 1e-6;  // share of k(x,x) that may be left over

// The rows of the Cholesky factor that follow those of the atoms. With L L' = K_DD + jitter I, Z = L^-1 K_DB
// and S = K_BB - Z'Z, a sample is explained if nothing of S_bb is left once the fresh ones before it have
// had their share.
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

Newcomers explain(const Matrix& gram, const Matrix& cross, const Matrix& corner, const Matrix& coefficients) {
  const Index samples = corner.rows();
  JitteredCholesky atoms = jittered_cholesky(gram);
  const Matrix z = atoms.factor.solve_lower(cross);
  Matrix schur = corner;
  if (gram.rows() > 0) schur.noalias() -= z.transpose() * z;

  Newcomers result{
      .fresh = {}, .weights = Matrix(samples, coefficients.cols()), .for_atoms = {}, .cholesky = {}};
  Matrix taken_over = Matrix::Zero(gram.rows(), coefficients.cols());  // L' times what the atoms get
  BorderedFactor factor(samples);
  for (Index b = 0; b < samples; ++b) {
    const auto fresh = static_cast<Index>(result.fresh.size());
    const Vector reduced = factor.reduce(schur(result.fresh, b));
    const double left = schur(b, b) - reduced.squaredNorm();
    if (left > explained * corner(b, b)) {
      factor.append(reduced, std::sqrt(left + atoms.jitter));
      result.weights.row(fresh) = coefficients.row(b);
      result.fresh.push_back(b);
      continue;
    }
    const Vector q = factor.solve_transposed(reduced);
    for (Index k = 0; k < fresh; ++k) result.weights.row(k) += q(k) * coefficients.row(b);
    Vector remainder = z.col(b);
    for (Index k = 0; k < fresh; ++k) {
      remainder -= q(k) * z.col(result.fresh[static_cast<std::size_t>(k)]);
    }
    taken_over += remainder * coefficients.row(b);
  }
  result.weights.conservativeResize(static_cast<Index>(result.fresh.size()), Eigen::NoChange);
  result.for_atoms = atoms.factor.lower.transpose().triangularView<Eigen::Upper>().solve(taken_over);
  if (!result.fresh.empty()) atoms.extend(z(Eigen::all, result.fresh).transpose(), factor.lower());
  result.cholesky = std::move(atoms);
  return result;
}

}  // namespace choir::online_kernel
