#include "choir/learn/gossip_pca/summary.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "choir/learn/gossip_pca/orthogonal_iterations.h"
#include "choir/linalg/eigen.h"
#include "choir/linalg/low_rank.h"

namespace choir::gossip_pca {
namespace {

constexpr double start_cutoff = 1e-13;  // eigenvalues of a node's own scatter below this are rounding
constexpr double merge_cutoff = 1e-14;
// Above this many rows all eigenpairs take longer than the few that are wanted.
constexpr Index largest_dense = 300;

LowRank leading_pairs(Matrix symmetric, Index count) {
  const Index wanted = std::min(count, symmetric.rows());
  EigenPairs pairs;
  if (symmetric.rows() <= largest_dense || 8 * wanted > symmetric.rows()) {
    pairs = eigen_symmetric<double>(std::move(symmetric));
  } else {
    pairs = top_eigenpairs(DenseOperator(symmetric), {.count = wanted, .tol = 1e-12});
  }
  const double first = pairs.values.size() > 0 ? pairs.values(0) : 0;
  const Index rank =
      first > 0 ? std::min<Index>(wanted, (pairs.values.array() > start_cutoff * first).count()) : Index{0};
  return {.U = pairs.vectors.leftCols(rank), .L = pairs.values.head(rank)};
}

// The leading eigenpairs of F F', by the smaller side of F.
LowRank leading_scatter(const Matrix& columns, Index rank) {
  if (columns.cols() > columns.rows()) return leading_pairs(columns * columns.transpose(), rank);
  return low_rank_of_columns(columns, {.rank = rank, .cutoff = start_cutoff});
}

void keep(LowRank scatter, Summary& summary) {
  summary.basis = Array(std::move(scatter.U));
  summary.values = std::move(scatter.L);
}

// The scatter of columns as the rule keeps it.
void keep_scatter(const Matrix& columns, const SummaryRule& rule, Summary& summary) {
  if (rule.merge == MergeRule::late) {
    summary.basis = Array(Matrix(columns * columns.transpose()));
    summary.values.resize(0);
  } else if (columns.cols() == 0) {
    keep({.U = Matrix(columns.rows(), 0), .L = Vector(0)}, summary);
  } else {
    keep(leading_scatter(columns, rule.carry), summary);
  }
}

// What the difference of two means adds to the scatter of both together: sqrt(w w' / (w + w')) (m - m').
Vector mean_column(const Summary& mine, const Summary& theirs) {
  const double reduced = mine.weight * (theirs.weight / (mine.weight + theirs.weight));
  return std::sqrt(reduced) * (mine.sum / mine.weight - theirs.sum / theirs.weight);
}

// F = [U sqrt(L), U' sqrt(L'), extra]
Matrix factor_of(const Summary& mine, const Summary& theirs, const Vector& extra) {
  const Vector first = mine.values.cwiseSqrt();  // once, not for every entry of the basis
  const Vector second = theirs.values.cwiseSqrt();
  Matrix factor(mine.dimension(), first.size() + second.size() + (extra.size() > 0 ? 1 : 0));
  factor.leftCols(first.size()).noalias() = mine.basis.matrix() * first.asDiagonal();
  factor.middleCols(first.size(), second.size()).noalias() = theirs.basis.matrix() * second.asDiagonal();
  if (extra.size() > 0) factor.rightCols(1) = extra;
  return factor;
}

void merge_scatter(Summary& mine, const Summary& theirs, const Vector& extra, const SummaryRule& rule,
                   Rng& random) {
  switch (rule.merge) {
    case MergeRule::gram:
      keep(low_rank_of_columns(factor_of(mine, theirs, extra), {.rank = rule.carry, .cutoff = merge_cutoff}),
           mine);
      break;
    case MergeRule::orthogonal_iterations:
      keep(merge_by_iterations({mine.basis.matrix(), mine.values}, {theirs.basis.matrix(), theirs.values},
                               {.rank = rule.carry, .max_t = rule.max_t, .ritz_values = rule.ritz_values},
                               random),
           mine);
      break;
    case MergeRule::late: {
      Matrix sum = mine.basis.matrix() + theirs.basis.matrix();
      if (extra.size() > 0) sum.noalias() += extra * extra.transpose();
      mine.basis = Array(std::move(sum));
      break;
    }
  }
}

// Eq. 14: eigenpairs of U L U'/w - m m', in the span of U and m.
LowRank about_the_mean(const Summary& summary, const Vector& mean) {
  const auto u = summary.basis.matrix();
  const Index rank = summary.values.size();
  const Vector inside = u.transpose() * mean;
  Vector rest = mean - u * inside;
  const double rest_norm = rest.norm();
  if (rest_norm > 0) rest /= rest_norm;
  Vector coordinates(rank + 1);
  coordinates << inside, rest_norm;
  Matrix small = -coordinates * coordinates.transpose();
  small.diagonal().head(rank) += summary.values / summary.weight;
  const EigenPairs pairs = eigen_symmetric<double>(std::move(small));
  const Index positive = (pairs.values.array() > 0).count();
  Matrix basis(mean.size(), rank + 1);
  basis << u, rest;
  return {.U = basis * pairs.vectors.leftCols(positive), .L = pairs.values.head(positive)};
}

}  // namespace

SummaryRule rule_of(const Options& options) {
  return {.merge = options.merge,
          .has_mean = options.partition == Division::samples,
          .carry = carried_directions(options),
          .max_t = options.max_t,
          .ritz_values = options.ritz_values};
}

Summary::Summary() : basis(Matrix(0, 0)) {}

Summary summary_of_samples(const MatrixView<double>& samples, const SummaryRule& rule) {
  Summary summary;
  const Index count = samples.cols();
  summary.weight = static_cast<double>(count);
  summary.sum = samples.rowwise().sum();
  if (count == 0) summary.sum.setZero(samples.rows());
  Matrix centred = samples;
  if (count > 0) centred.colwise() -= Vector(summary.sum / summary.weight);
  summary.trace = summary.within = centred.squaredNorm();
  keep_scatter(rule.centred() ? centred : Matrix(samples), rule, summary);
  return summary;
}

Summary summary_of_rows(const MatrixView<double>& rows, const SummaryRule& rule) {
  Summary summary;
  summary.weight = static_cast<double>(rows.rows());
  const Matrix centred = (rows.colwise() - rows.rowwise().mean()).transpose();
  summary.trace = summary.within = centred.squaredNorm();
  keep_scatter(centred, rule, summary);
  return summary;
}

void scale(Summary& summary, double factor) {
  summary.weight *= factor;
  summary.trace *= factor;
  summary.within *= factor;
  summary.sum *= factor;
  if (summary.values.size() == 0 && summary.basis.columns() > 0) {  // late
    summary.basis = Array(Matrix(summary.basis.matrix() * factor));
  } else {
    summary.values *= factor;
  }
}

Summary take_share(Summary& mine, double share) {
  Summary given = mine;
  scale(given, share);
  given.nodes *= share;
  scale(mine, 1 - share);
  mine.nodes *= 1 - share;
  return given;
}

void merge(Summary& mine, const Summary& theirs, const SummaryRule& rule, Rng& random) {
  const double nodes = mine.nodes + theirs.nodes;
  if (theirs.weight == 0) {
    mine.nodes = nodes;
    return;
  }
  if (mine.weight == 0) {
    mine = theirs;
    mine.nodes = nodes;
    return;
  }
  const Vector between = rule.has_mean ? mean_column(mine, theirs) : Vector();
  merge_scatter(mine, theirs, rule.centred() ? between : Vector(), rule, random);
  mine.trace += theirs.trace + between.squaredNorm();
  mine.within += theirs.within;
  if (rule.has_mean) mine.sum += theirs.sum;
  mine.weight += theirs.weight;
  mine.nodes = nodes;
}

Principal principal_of(const Summary& summary, const SummaryRule& rule, Index q) {
  if (!(summary.weight > 0)) return {};
  Principal answer;
  if (rule.has_mean) answer.mean = summary.sum / summary.weight;
  LowRank pairs;
  if (rule.merge == MergeRule::late) {
    pairs = leading_pairs(summary.basis.matrix() / summary.weight, q);
  } else if (rule.merge == MergeRule::orthogonal_iterations && rule.has_mean) {
    pairs = about_the_mean(summary, answer.mean);
  } else {
    pairs = {.U = summary.basis.matrix(), .L = summary.values / summary.weight};
  }
  const Index kept = std::min(q, pairs.L.size());
  answer.directions = pairs.U.leftCols(kept);
  answer.variances = pairs.L.head(kept);
  return answer;
}

namespace {

double direction_gap(const Summary& mine, const Summary& theirs, Index q) {
  if (mine.values.size() == 0) {  // late, or no variance at all
    const Matrix own = mine.basis.matrix() / mine.weight;
    const double norm = own.norm();
    return norm > 0 ? (own - theirs.basis.matrix() / theirs.weight).norm() / norm : 0;
  }
  const Index common = std::min({q, mine.values.size(), theirs.values.size()});
  if (common == 0) return 1;
  const Matrix cosines =
      mine.basis.matrix().leftCols(common).transpose() * theirs.basis.matrix().leftCols(common);
  return std::max(0.0, 1 - cosines.squaredNorm() / static_cast<double>(common));
}

}  // namespace

double disagreement(const Summary& mine, const Summary& theirs, Index q) {
  if (mine.weight == 0 || theirs.weight == 0) return 1;
  double gap = direction_gap(mine, theirs, q);
  const double variance = mine.trace / mine.weight;
  if (!(variance > 0)) return gap;
  gap = std::max(gap, std::abs(theirs.trace / theirs.weight / variance - 1));
  if (mine.sum.size() == 0) return gap;
  const double distance = (mine.sum / mine.weight - theirs.sum / theirs.weight).norm();
  return std::max(gap, distance / std::sqrt(variance));
}

}  // namespace choir::gossip_pca
