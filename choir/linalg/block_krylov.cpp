#include "choir/linalg/block_krylov.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "choir/base/rng.h"
#include "choir/linalg/qr.h"
#include "choir/linalg/ritz.h"

namespace choir {
namespace {

// Columns beyond the wanted ones: they carry the next eigenvalues, whose distance decides the speed.
constexpr Index guard_columns = 4;

// Blocks a basis holds before it restarts. Narrow blocks get more of them: a longer polynomial for little
// memory.
Index basis_blocks(Index block) { return block <= 32 ? 14 : 6; }

template <class Scalar>
class BlockKrylov {
 public:
  BlockKrylov(const SymmetricOperatorOf<Scalar>& op, const TopEigenOptions& options)
      : op_(op),
        options_(options),
        n_(op.rows()),
        width_(std::min(n_, options.count + guard_columns)),
        capacity_(std::min(n_, width_ * basis_blocks(width_))),
        basis_(n_, capacity_),
        images_(n_, capacity_),
        projected_(Matrix::Zero(capacity_, capacity_)) {}

  EigenPairsOf<Scalar> run() {
    block_ = thin_qr(starting_block()).q;  // never fewer columns, as dropping dependent ones might leave
    for (Index step = 1, restarts = 0;; ++step) {
      expand();
      solve_projected();
      options_.watch.report("eigenpairs", step, 0, estimate_);
      if (worth_measuring() && measure_is_final()) return std::move(best_);
      orthonormalise(10 * epsilon * norm_);
      if (block_.cols() == 0) return measured();  // the basis is invariant: there is nothing to add
      if (size_ + block_.cols() > capacity_) {
        if (restarts++ == options_.max_restarts) return measured();
        restart();
      }
    }
  }

 private:
  static constexpr double epsilon = std::numeric_limits<Scalar>::epsilon();

  MatrixOf<Scalar> starting_block() const {
    Rng rng(options_.seed, Purpose("block krylov start"));
    MatrixOf<Scalar> block(n_, width_);
    for (Index i = 0; i < block.size(); ++i) block.data()[i] = static_cast<Scalar>(rng.normal());
    const Index given = std::min(options_.start.cols(), width_);
    if (given > 0) block.leftCols(given) = options_.start.leftCols(given).template cast<Scalar>();
    return block;
  }

  auto basis() const { return basis_.leftCols(size_); }

  // Appends the block, multiplies it by A, and leaves what the basis does not explain as the next block.
  void expand() {
    const Index width = block_.cols();
    const Index before = size_;
    size_ += width;
    basis_.middleCols(before, width) = block_;
    op_.apply(basis_.middleCols(before, width), images_.middleCols(before, width));
    products_ += width;
    const auto image = images_.middleCols(before, width);
    require_finite_product<Scalar>(image);

    const MatrixOf<Scalar> coefficients = basis().transpose() * image;
    projected_.block(0, before, size_, width) = coefficients.template cast<double>();
    projected_.block(before, 0, width, before) = projected_.block(0, before, before, width).transpose();
    block_ = image;
    block_.noalias() -= basis() * coefficients;
    remainder_gram_ = (block_.transpose() * block_).template cast<double>();
  }

  // Ritz values and vectors, and the residuals that A V = V T + R E' implies: ||R E' y||.
  void solve_projected() {
    auto ritz = eigen_symmetric<double>(projected_.topLeftCorner(size_, size_));
    ritz_values_ = std::move(ritz.values);
    ritz_vectors_ = std::move(ritz.vectors);
    norm_ = std::max({norm_, std::abs(ritz_values_[0]), std::abs(ritz_values_[size_ - 1])});
    const Matrix last = ritz_vectors_.bottomRows(remainder_gram_.rows()).leftCols(options_.count);
    const double square = (last.array() * (remainder_gram_ * last).array()).colwise().sum().maxCoeff();
    estimate_ = square > 0 ? std::sqrt(square) / norm_ : 0;
  }

  // Makes the block orthonormal and orthogonal to the basis. Columns no longer than `noise` and directions
  // that are rounding errors of the others are dropped. One round suffices unless it had much to remove.
  void orthonormalise(double noise) {
    constexpr int most_rounds = 5;
    constexpr double little = 0.1;
    for (int round = 0; round < most_rounds && block_.cols() > 0; ++round) {
      const MatrixOf<Scalar> overlap = basis().transpose() * block_;
      block_.noalias() -= basis() * overlap;
      const Matrix gram = (block_.transpose() * block_).template cast<double>();
      normalise_block(gram, round == 0 ? noise : 0);
      const bool was_orthonormal =
          (gram - Matrix::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff() < little;
      const bool was_orthogonal = size_ == 0 || overlap.cwiseAbs().maxCoeff() < little;
      if (was_orthonormal && was_orthogonal) break;
    }
    if (block_.cols() > n_ - size_) block_ = block_.leftCols(n_ - size_).eval();
  }

  // Block <- block D U s^-1/2 with D gram D = U s U', D scaling the columns to length 1; strongest first.
  void normalise_block(const Matrix& gram, double noise) {
    Vector scale = gram.diagonal().cwiseMax(0).cwiseSqrt();
    for (double& length : scale) length = length > noise ? 1 / length : 0;
    const auto scaled = eigen_symmetric<double>(scale.asDiagonal() * gram * scale.asDiagonal());
    const double cutoff = 10 * static_cast<double>(gram.rows()) * epsilon;
    const Index kept = (scaled.values.array() > cutoff).count();
    const Matrix combination = scale.asDiagonal() * scaled.vectors.leftCols(kept) *
                               scaled.values.head(kept).cwiseSqrt().cwiseInverse().asDiagonal();
    block_ = block_ * combination.template cast<Scalar>();
  }

  // The estimate falls on below the rounding errors that a measurement contains, and so must not be waited
  // for beyond them.
  bool worth_measuring() const { return estimate_ <= std::max(options_.tol, epsilon); }

  // Measures; true if that is good enough, or as good as this precision gets.
  bool measure_is_final() {
    auto now = measured();
    if (now.converged) {
      best_ = std::move(now);
      return true;
    }
    const bool better = best_.values.size() == 0 || now.residual < best_.residual / 2;
    if (better) best_ = std::move(now);
    if (!better && ++stalls_ >= 2) {
      best_.products = products_;
      return true;
    }
    return false;
  }

  EigenPairsOf<Scalar> measured() const {
    const Index kept = std::min(size_, width_);
    const MatrixOf<Scalar> combination = ritz_vectors_.leftCols(kept).template cast<Scalar>();
    const MatrixOf<Scalar> vectors = basis() * combination;
    const MatrixOf<Scalar> images = images_.leftCols(size_) * combination;
    auto pairs = rayleigh_ritz(vectors, images, options_.count, norm_);
    pairs.converged = pairs.residual <= options_.tol;
    pairs.products = products_;
    return pairs;
  }

  void restart() {
    const Index kept = std::min(size_, 2 * width_);
    const MatrixOf<Scalar> combination = ritz_vectors_.leftCols(kept).template cast<Scalar>();
    const MatrixOf<Scalar> vectors = basis() * combination;
    const MatrixOf<Scalar> images = images_.leftCols(size_) * combination;
    basis_.leftCols(kept) = vectors;
    images_.leftCols(kept) = images;
    size_ = kept;
    projected_.topLeftCorner(kept, kept) = ritz_values_.head(kept).asDiagonal();
    orthonormalise(0);
  }

  const SymmetricOperatorOf<Scalar>& op_;
  const TopEigenOptions& options_;
  const Index n_;
  const Index width_;                // of a full block
  const Index capacity_;             // columns of the basis
  Index size_ = 0;                   // columns in use
  MatrixOf<Scalar> basis_, images_;  // V and A V
  MatrixOf<Scalar> block_;           // the next columns of V
  Matrix projected_;                 // T = V'A V
  Matrix remainder_gram_;            // R'R
  Vector ritz_values_;
  Matrix ritz_vectors_;
  double norm_ = 0;      // largest |Ritz value| seen
  double estimate_ = 0;  // of the residual
  int stalls_ = 0;
  Index products_ = 0;
  EigenPairsOf<Scalar> best_;
};

}  // namespace

template <class Scalar>
EigenPairsOf<Scalar> block_krylov(const SymmetricOperatorOf<Scalar>& op, const TopEigenOptions& options) {
  return BlockKrylov<Scalar>(op, options).run();
}

template EigenPairsOf<float> block_krylov(const SymmetricOperatorOf<float>&, const TopEigenOptions&);
template EigenPairsOf<double> block_krylov(const SymmetricOperatorOf<double>&, const TopEigenOptions&);

}  // namespace choir
