#include "choir/linalg/low_rank.h"

#include <algorithm>
#include <utility>

#include "choir/base/error.h"
#include "choir/linalg/eigen.h"
#include "choir/linalg/qr.h"
#include "choir/linalg/signs.h"

namespace choir {
namespace {

void check_parts(const LowRank& first, const LowRank& second, const Matrix& extra) {
  if (first.U.rows() != second.U.rows() || first.U.rows() != extra.rows())
    fail(ErrorCategory::InvalidArgument,
         "low-rank terms have {}, {} and {} rows; a sum needs the same number", first.U.rows(),
         second.U.rows(), extra.rows());
  for (const LowRank* part : {&first, &second}) {
    if (part->U.cols() != part->L.size())
      fail(ErrorCategory::InvalidArgument, "a low-rank term has {} directions but {} weights", part->U.cols(),
           part->L.size());
    if ((part->L.array() < 0).any())
      fail(ErrorCategory::InvalidArgument,
           "a low-rank term has a negative weight; weights are eigenvalues of a "
           "positive semidefinite matrix");
  }
}

// How many leading values stay; never more than there are rows, which rounding alone could pretend.
Index kept_rank(const Vector& values, Index rows, const LowRankOptions& options) {
  if (values.size() == 0 || values[0] <= 0) return 0;
  const Index significant = (values.array() > options.cutoff * values[0]).count();
  return std::min({significant, rows, options.rank});
}

}  // namespace

LowRank low_rank_of_columns(const Matrix& columns, const LowRankOptions& options) {
  if (options.rank < 0)
    fail(ErrorCategory::InvalidArgument, "the rank to keep is {}; it cannot be negative", options.rank);
  const auto gram = eigen_symmetric<double>(columns.transpose() * columns);
  const Index rank = kept_rank(gram.values, columns.rows(), options);
  LowRank sum{.U = Matrix(columns.rows(), rank), .L = gram.values.head(rank)};
  if (rank == 0) return sum;
  sum.U.noalias() = columns * (gram.vectors.leftCols(rank) * sum.L.cwiseSqrt().cwiseInverse().asDiagonal());
  // Rounding in F'F is relative to l_1, so the columns of U lose orthogonality like eps l_1 / l_r. QR goes
  // through the columns from the largest eigenvalue on, so it moves only those that are inexact.
  constexpr double safe_spread = 1e-4;
  if (sum.L[rank - 1] < safe_spread * sum.L[0]) sum.U = thin_qr(std::move(sum.U)).q;
  fix_signs<double>(sum.U);
  return sum;
}

LowRank merge_low_rank(const LowRank& first, const LowRank& second, const Matrix& extra,
                       const LowRankOptions& options) {
  check_parts(first, second, extra);
  Matrix columns(first.U.rows(), first.U.cols() + second.U.cols() + extra.cols());
  columns << first.U * first.L.cwiseSqrt().asDiagonal(), second.U * second.L.cwiseSqrt().asDiagonal(), extra;
  return low_rank_of_columns(columns, options);
}

LowRank merge_low_rank(const LowRank& first, const LowRank& second, const LowRankOptions& options) {
  return merge_low_rank(first, second, Matrix(first.U.rows(), 0), options);
}

}  // namespace choir
