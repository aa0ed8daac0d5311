#include "choir/learn/gossip_pca/ritz_space.h"

#include <algorithm>
#include <utility>

#include "choir/linalg/eigen.h"
#include "choir/linalg/low_rank.h"
#include "choir/linalg/qr.h"

namespace choir::gossip_pca {
namespace {

constexpr double rounding = 1e-13;   // residuals below this share of the largest value are rounding
constexpr double dependent = 1e-10;  // squared share below which a column depends on the others

void append(Matrix& matrix, const Matrix& columns) {
  const Index before = matrix.cols();
  matrix.conservativeResize(columns.rows(), before + columns.cols());
  matrix.rightCols(columns.cols()) = columns;
}

}  // namespace

void RitzSpace::add(const Matrix& block, const Matrix& products) {
  append(basis_, block);
  append(images_, products);
}

RitzPairs RitzSpace::leading(Index count) const {
  const Matrix projected = basis_.transpose() * images_;
  const EigenPairs ritz = eigen_symmetric<double>((projected + projected.transpose()) / 2);
  const Index kept = std::min(count, ritz.values.size());
  RitzPairs pairs;
  pairs.values = ritz.values.head(kept).cwiseMax(0);
  pairs.vectors = basis_ * ritz.vectors.leftCols(kept);
  const Matrix residuals = images_ * ritz.vectors.leftCols(kept) - pairs.vectors * pairs.values.asDiagonal();
  pairs.residuals = residuals.colwise().norm();
  return pairs;
}

Matrix RitzSpace::next_block(Index width) const {
  const RitzPairs pairs = leading(width);
  const double largest = pairs.values.size() > 0 ? pairs.values(0) : 0;
  const Index room = basis_.rows() - basis_.cols();
  Matrix outside = images_ * (basis_.transpose() * pairs.vectors);
  outside -= basis_ * (basis_.transpose() * outside);
  Matrix wanted(outside.rows(), 0);
  for (Index column = 0; column < outside.cols(); ++column) {  // each counts alike, whatever its variance
    const double length = outside.col(column).norm();
    if (length > rounding * largest) append(wanted, outside.col(column) / length);
  }
  if (wanted.cols() == 0 || room == 0) return Matrix(outside.rows(), 0);
  Matrix block = low_rank_of_columns(wanted, {.rank = std::min(width, room), .cutoff = dependent}).U;
  for (int time = 0; time < 2; ++time) {  // once is not enough where little was left
    block -= basis_ * (basis_.transpose() * block);
    block = thin_qr<double>(std::move(block)).q;
  }
  return block;
}

}  // namespace choir::gossip_pca
