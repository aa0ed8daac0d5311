// Sums of symmetric positive semidefinite matrices kept as U L U', without ever forming a D x D matrix.
//
//   LowRank total = merge_low_rank(mine, theirs, mean_column, {.rank = 20});
//
// The Gram trick: with F = [U sqrt(L), U' sqrt(L'), extra], F F' is the sum and F'F is small; from
// F'F = W l W' follow the sum's eigenpairs, U = F W l^-1/2 and L = l. Exact but for the rank.
#pragma once

#include <limits>

#include "choir/linalg/types.h"

namespace choir {

struct LowRank {
  Matrix U;  // D x r, orthonormal columns
  Vector L;  // r, descending, positive
};

struct LowRankOptions {
  Index rank = std::numeric_limits<Index>::max();  // largest rank to keep
  double cutoff = 1e-14;                           // and only L above this share of the largest
};

// The leading eigenpairs of F F' for a D x c matrix of columns, c small. The rank is 0 if F is zero.
// Throws Error(InvalidArgument) if the rank is negative, Error(Numerical) if F has a NaN or an infinity.
LowRank low_rank_of_columns(const Matrix& columns, const LowRankOptions& options = {});

// U L U' + U' L' U'' + extra extra'; either rank may be 0, extra is D x e, e >= 0.
// Throws Error(InvalidArgument) if the numbers of rows differ or a weight is negative.
LowRank merge_low_rank(const LowRank& first, const LowRank& second, const Matrix& extra,
                       const LowRankOptions& options = {});
LowRank merge_low_rank(const LowRank& first, const LowRank& second, const LowRankOptions& options = {});

}  // namespace choir
