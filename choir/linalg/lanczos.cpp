#include "choir/linalg/lanczos.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <Spectra/SymEigsSolver.h>

#include "choir/base/rng.h"
#include "choir/linalg/block_krylov.h"
#include "choir/linalg/ritz.h"

namespace choir {
namespace {

template <class Scalar>
constexpr double epsilon = std::numeric_limits<Scalar>::epsilon();

// Spectra divides by zero when the start is in the null space, and goes on with NaN.
struct Breakdown {};

// What Spectra asks of a matrix.
template <class T>
class SpectraOperator {
 public:
  using Scalar = T;

  SpectraOperator(const SymmetricOperatorOf<T>& op, const Watch& watch) : op_(op), watch_(watch) {}
  Index rows() const { return op_.rows(); }
  Index cols() const { return op_.rows(); }
  void perform_op(const T* x, T* y) const {
    const Eigen::Map<const MatrixOf<T>> in(x, rows(), 1);
    if (!in.allFinite()) throw Breakdown();
    Eigen::Map<MatrixOf<T>> out(y, rows(), 1);
    op_.apply(in, out);
    require_finite_product<T>(out);
    watch_.report("eigenpairs", ++products_, 0);
  }
  Index products() const { return products_; }

 private:
  const SymmetricOperatorOf<T>& op_;
  const Watch& watch_;
  mutable Index products_ = 0;
};

// A with the found eigenvectors X moved to the lower end of its spectrum: (I-P) A (I-P) - shift P, P = XX'.
template <class Scalar>
class DeflatedOperator final : public SymmetricOperatorOf<Scalar> {
 public:
  DeflatedOperator(const SymmetricOperatorOf<Scalar>& op, const MatrixOf<Scalar>& found, Scalar shift)
      : op_(op), found_(found), shift_(shift) {}
  Index rows() const override { return op_.rows(); }
  void apply(const MatrixView<Scalar>& x, MatrixSpan<Scalar> y) const override {
    const MatrixOf<Scalar> inside = found_.transpose() * x;
    const MatrixOf<Scalar> outside = x - found_ * inside;
    op_.apply(outside, y);
    const MatrixOf<Scalar> back = found_.transpose() * y + shift_ * inside;
    y.noalias() -= found_ * back;
  }

 private:
  const SymmetricOperatorOf<Scalar>& op_;
  const MatrixOf<Scalar>& found_;
  Scalar shift_;
};

template <class Scalar>
VectorOf<Scalar> starting_vector(Index n, std::uint64_t seed) {
  Rng rng(seed, Purpose("lanczos start"));
  VectorOf<Scalar> start(n);
  for (Scalar& entry : start) entry = static_cast<Scalar>(rng.normal());
  return start;
}

// Not converged, with no pairs, if Spectra does not reach the tolerance, which it takes relative to each
// eigenvalue: those of a rank-deficient matrix may be zero.
template <class Scalar>
EigenPairsOf<Scalar> implicitly_restarted(const SymmetricOperatorOf<Scalar>& op,
                                          const TopEigenOptions& options) {
  const Index n = op.rows();
  const Index basis = std::min(n, std::max<Index>(2 * options.count + 1, options.count + 30));
  SpectraOperator<Scalar> counted(op, options.watch);
  Spectra::SymEigsSolver<SpectraOperator<Scalar>> solver(counted, options.count, basis);
  const auto start = starting_vector<Scalar>(n, options.seed);
  const auto tol = static_cast<Scalar>(std::max(options.tol, epsilon<Scalar>));
  bool converged = false;
  try {
    solver.init(start.data());
    solver.compute(Spectra::SortRule::LargestAlge, options.max_restarts, tol, Spectra::SortRule::LargestAlge);
    converged = solver.info() == Spectra::CompInfo::Successful;
  } catch (const Breakdown&) {
    converged = false;
  }
  EigenPairsOf<Scalar> pairs;
  if (converged) {
    const MatrixOf<Scalar> vectors = solver.eigenvectors();
    MatrixOf<Scalar> images(n, options.count);
    op.apply(vectors, images);
    pairs = rayleigh_ritz(vectors, images, options.count, 0);
    pairs.products = options.count;
  }
  pairs.converged = converged && pairs.residual <= options.tol;
  pairs.products += counted.products();
  return pairs;
}

// Whether an eigenvalue above the smallest found one is left among the vectors orthogonal to the found
// ones, or may be. A second copy of an eigenvalue, for one, is invisible to the first run.
template <class Scalar>
bool may_miss_a_pair(const SymmetricOperatorOf<Scalar>& op, const TopEigenOptions& options,
                     EigenPairsOf<Scalar>& found) {
  const double largest = static_cast<double>(found.values.cwiseAbs().maxCoeff());
  const DeflatedOperator<Scalar> rest(op, found.vectors, static_cast<Scalar>(2 * largest));
  TopEigenOptions check = options;
  check.count = 1;
  check.tol = std::max({options.tol, 1e-6, 100 * epsilon<Scalar>});
  check.watch.progress = {};  // its residuals are not those of the answer
  const auto next = block_krylov(rest, check);
  found.products += next.products;
  const double smallest = static_cast<double>(found.values[options.count - 1]);
  const double slack = std::max(options.tol, 100 * epsilon<Scalar>) * largest;
  return !next.converged || static_cast<double>(next.values[0]) > smallest + slack;
}

}  // namespace

template <class Scalar>
EigenPairsOf<Scalar> lanczos(const SymmetricOperatorOf<Scalar>& op, const TopEigenOptions& options) {
  auto found = implicitly_restarted(op, options);
  if (found.converged && !may_miss_a_pair(op, options, found)) return found;
  auto pairs = block_krylov(op, options);
  pairs.products += found.products;
  return pairs;
}

template EigenPairsOf<float> lanczos(const SymmetricOperatorOf<float>&, const TopEigenOptions&);
template EigenPairsOf<double> lanczos(const SymmetricOperatorOf<double>&, const TopEigenOptions&);

}  // namespace choir
