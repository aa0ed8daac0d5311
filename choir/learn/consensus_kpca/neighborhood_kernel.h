// G_j: the centred kernel matrix of all samples in a node's neighbourhood Omega_j, the node's own first.
//
//   const NeighborhoodKernel kernel(matrix, sizes, Precision::float64);
//   const Matrix y = kernel.times(c);               // G c
//   y.middleRows(kernel.begin(l), kernel.size(l))   // the rows of member l
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "choir/learn/consensus_kpca/block_triangle.h"
#include "choir/linalg/precision.h"
#include "choir/linalg/types.h"

namespace choir::consensus_kpca {

// Eigenvalues of a kernel matrix below this share of the first are rounding.
inline constexpr double rank_cutoff = 1e-8;

class NeighborhoodKernel {
 public:
  // `matrix`: symmetric, of as many rows as the sizes sum to.
  NeighborhoodKernel(Matrix matrix, const std::vector<Index>& sizes, Precision precision);

  Index members() const { return static_cast<Index>(begin_.size()) - 1; }
  Index begin(Index member) const { return begin_[static_cast<std::size_t>(member)]; }
  Index size(Index member) const { return begin(member + 1) - begin(member); }
  Index rows() const { return begin_.back(); }

  Matrix times(const Matrix& coefficients) const;
  // What rounding may leave in c' G c, relative to ||c||^2.
  double rounding() const { return rounding_; }
  // The rows of the node itself times coefficients of one member: K_jl alpha_l.
  Matrix own_rows_times(Index member, const Matrix& coefficients) const;

  // Coefficients of the leading unit directions, to about two digits: eigenvectors over sqrt(eigenvalue).
  Matrix leading_directions(Index count) const;
  Index rank() const;
  Matrix dense() const;

  static std::uint64_t bytes_needed(const std::vector<Index>& sizes, Precision precision);

 private:
  std::vector<Index> begin_;                    // members + 1
  std::variant<Matrix, BlockTriangle> values_;  // single precision is there to save memory
  double rounding_ = 0;
};

}  // namespace choir::consensus_kpca
