// A symmetric matrix in single precision, as the blocks on and below its diagonal: a neighbourhood of five
// nodes takes three fifths of what the square would.
//
//   const BlockTriangle half(matrix, begin);        // begin: where each member's rows begin, and the end
//   half.apply(x, y);                               // y = A x
#pragma once

#include <cstdint>
#include <vector>

#include "choir/linalg/symmetric_operator.h"
#include "choir/linalg/types.h"

namespace choir::consensus_kpca {

class BlockTriangle final : public SymmetricOperatorOf<float> {
 public:
  BlockTriangle(const Matrix& matrix, std::vector<Index> begin);

  Index rows() const override { return begin_.back(); }
  void apply(const MatrixView<float>& x, MatrixSpan<float> y) const override;
  const MatrixOf<float>& block(Index row, Index column) const {
    return blocks_[place(row, column)];
  }  // row >= column
  Matrix dense() const;

  static std::uint64_t bytes_needed(const std::vector<Index>& sizes);

 private:
  static std::size_t place(Index row, Index column) {
    return static_cast<std::size_t>(row * (row + 1) / 2 + column);
  }
  Index members() const { return static_cast<Index>(begin_.size()) - 1; }
  Index begin(Index member) const { return begin_[static_cast<std::size_t>(member)]; }
  Index size(Index member) const { return begin(member + 1) - begin(member); }

  std::vector<Index> begin_;
  std::vector<MatrixOf<float>> blocks_;  // row after row
};

}  // namespace choir::consensus_kpca
