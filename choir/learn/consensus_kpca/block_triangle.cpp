#include "choir/learn/consensus_kpca/block_triangle.h"

#include <utility>

namespace choir::consensus_kpca {

BlockTriangle::BlockTriangle(const Matrix& matrix, std::vector<Index> begin) : begin_(std::move(begin)) {
  for (Index row = 0; row < members(); ++row) {
    for (Index column = 0; column <= row; ++column) {
      blocks_.emplace_back(
          matrix.block(this->begin(row), this->begin(column), size(row), size(column)).cast<float>());
    }
  }
}

void BlockTriangle::apply(const MatrixView<float>& x, MatrixSpan<float> y) const {
  y.setZero();
  for (Index row = 0; row < members(); ++row) {
    for (Index column = 0; column <= row; ++column) {
      const MatrixOf<float>& values = block(row, column);
      y.middleRows(begin(row), size(row)).noalias() += values * x.middleRows(begin(column), size(column));
      if (row == column) continue;
      y.middleRows(begin(column), size(column)).noalias() +=
          values.transpose() * x.middleRows(begin(row), size(row));
    }
  }
}

Matrix BlockTriangle::dense() const {
  Matrix all(rows(), rows());
  for (Index row = 0; row < members(); ++row) {
    for (Index column = 0; column <= row; ++column) {
      const Matrix values = block(row, column).cast<double>();
      all.block(begin(row), begin(column), size(row), size(column)) = values;
      all.block(begin(column), begin(row), size(column), size(row)) = values.transpose();
    }
  }
  return all;
}

std::uint64_t BlockTriangle::bytes_needed(const std::vector<Index>& sizes) {
  std::uint64_t entries = 0;
  std::uint64_t before = 0;
  for (const Index size : sizes) {
    const auto n = static_cast<std::uint64_t>(size);
    entries += n * (before + n);
    before += n;
  }
  return entries * sizeof(float);
}

}  // namespace choir::consensus_kpca
