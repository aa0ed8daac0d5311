#include "choir/learn/gossip_pca/orthogonal_iterations.h"

#include <algorithm>
#include <utility>

#include "choir/linalg/eigen.h"
#include "choir/linalg/qr.h"

namespace choir::gossip_pca {
namespace {

// An unpadded basis of five samples would stay at rank 5 for ever.
Matrix padded(const MatrixView<double>& basis, Index width, Rng& random) {
  const Index own = std::min(width, basis.cols());
  Matrix wide(basis.rows(), width);
  wide.leftCols(own) = basis.leftCols(own);
  for (Index column = own; column < width; ++column) {
    for (double& entry : wide.col(column)) entry = random.normal();
  }
  return thin_qr(std::move(wide)).q;
}

Matrix product(const LowRankView& sum, const Matrix& q) {
  return sum.U * (sum.L.asDiagonal() * (sum.U.transpose() * q));
}

Matrix projected(const LowRankView& sum, const Matrix& q) {
  const Matrix inside = sum.U.transpose() * q;
  return inside.transpose() * sum.L.asDiagonal() * inside;
}

}  // namespace

LowRank merge_by_iterations(const LowRankView& first, const LowRankView& second,
                            const IterationOptions& options, Rng& random) {
  const Index width = std::min(options.rank, first.U.rows());
  ThinQr step{.q = padded(first.U, width, random), .r = {}};
  for (Index t = 0; t < options.max_t; ++t) {
    step = thin_qr<double>(product(first, step.q) + product(second, step.q));
  }
  if (options.ritz_values == RitzValues::diagonal) return {.U = step.q, .L = step.r.diagonal().cwiseAbs()};
  const EigenPairs ritz = eigen_symmetric<double>(projected(first, step.q) + projected(second, step.q));
  return {.U = step.q * ritz.vectors, .L = ritz.values.cwiseMax(0)};
}

}  // namespace choir::gossip_pca
