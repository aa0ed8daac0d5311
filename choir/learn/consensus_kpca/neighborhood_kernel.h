// G_j: the centred kernel matrix of all samples in a node's neighbourhood Omega_j, the node's own first.
//
//   NeighborhoodKernel kernel(sizes, Precision::float64);
//   kernel.set_block(0, 1, block);                  // H_0 K_01 H_1 or k_c(X_0, X_1): N_0 x N_1, and its transpose
//   const Matrix y = kernel.times(c);               // G c
//   y.middleRows(kernel.begin(l), kernel.size(l))   // the rows of member l
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "choir/linalg/precision.h"
#include "choir/linalg/types.h"

namespace choir {

// Eigenvalues of a kernel matrix below this share of the first are rounding.
inline constexpr double rank_cutoff = 1e-8;

class NeighborhoodKernel {
 public:
  NeighborhoodKernel(const std::vector<Index>& sizes, Precision precision);

  Index members() const { return static_cast<Index>(begin_.size()) - 1; }
  Index begin(Index member) const { return begin_[static_cast<std::size_t>(member)]; }
  Index size(Index member) const { return begin(member + 1) - begin(member); }
  Index rows() const { return begin_.back(); }

  // row <= column.
  void set_block(Index row, Index column, const Matrix& block);
  Matrix times(const Matrix& coefficients) const;
  // The rows of the node itself times coefficients of one member: K_jl alpha_l.
  Matrix own_rows_times(Index member, const Matrix& coefficients) const;

  // Coefficients of the leading unit directions, to about two digits: eigenvectors over sqrt(eigenvalue).
  Matrix leading_directions(Index count) const;
  Index rank() const;

  static std::uint64_t bytes_needed(Index rows, Precision precision);

 private:
  std::vector<Index> begin_;  // members + 1
  std::variant<Matrix, MatrixOf<float>> values_;
};

}  // namespace choir
