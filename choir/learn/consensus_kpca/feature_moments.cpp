#include "choir/learn/consensus_kpca/feature_moments.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "choir/base/error.h"
#include "choir/learn/plausibility.h"
#include "choir/linalg/eigen.h"
#include "choir/runtime/blocks/average.h"
#include "choir/runtime/blocks/gossip.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir::consensus_kpca {
namespace {

constexpr Index heads = 2;  // count and diagonal
constexpr double feature_rank_cutoff = 1e-10;
constexpr double eigen_tolerance = 1e-12;
// Beyond the components: they show which of these are separated from what follows.
constexpr Index guard_columns = 8;
constexpr double consensus_tolerance = 1e-9;

// What is kept of the columns, as users see it.
void take_kept(FeatureBasis& basis) {
  basis.directions = basis.answer.directions.leftCols(basis.answer.kept);
  basis.eigenvalues = static_cast<double>(basis.samples) * basis.answer.variances.head(basis.answer.kept);
}

Message to_message(const FeatureBasis& basis) {
  Message message(Kind::totals);
  message.integer(basis.samples).integer(basis.answer.kept).number(basis.trace);
  message.array(basis.mean).array(basis.answer.directions).array(basis.answer.variances).array(basis.claims);
  return message;
}

FeatureBasis to_basis(const Message& message) {
  FeatureBasis basis;
  basis.samples = static_cast<Index>(message.integer(0));
  basis.trace = message.number(0);
  basis.mean = message.array(0).matrix();
  basis.answer = {.directions = message.array(1).matrix(),
                  .variances = message.array(2).matrix(),
                  .kept = static_cast<Index>(message.integer(1))};
  basis.claims = message.array(3).matrix();
  take_kept(basis);
  return basis;
}

Task<FeatureBasis> basis_by_tree(Node& node, SecureSums& sums, const Matrix& mine, const BasisWish& wish) {
  // One row: a masked sum tells the largest magnitude of each row.
  const std::optional<Matrix> all = co_await secure_sum_at_root(node, sums, mine.transpose());
  Message result(Kind::totals);
  if (all) {
    const FeatureMoments moments = FeatureMoments::unpacked(Matrix(all->transpose()));
    result = to_message(basis_of(moments, wish, moments.count));
  }
  const Message agreed = co_await broadcast(node, node.tree(), result);
  co_return to_basis(agreed);
}

Task<FeatureBasis> basis_by_consensus(Node& node, const Matrix& mine, const BasisWish& wish) {
  AverageOptions options;
  options.tol = consensus_tolerance;
  const Average found = co_await average(node, mine, options);
  const FeatureMoments moments = FeatureMoments::unpacked(found.mean);
  const double samples = moments.count * static_cast<double>(node.network_size());
  FeatureBasis basis = basis_of(moments, wish, samples);
  basis.converged = found.converged;
  co_return basis;
}

// How far the nodes are apart in the end shows in the consensus gap.
Task<FeatureBasis> basis_by_gossip(Node& node, const Matrix& mine, const BasisWish& wish) {
  GossipOptions options;
  options.messages = 60 + static_cast<Index>(20 * std::log2(static_cast<double>(node.network_size())));
  options.mean_interval = std::chrono::milliseconds(1);
  options.more_follows = true;
  const Gossiped found = co_await gossip_average(node, mine, options);
  const FeatureMoments moments = FeatureMoments::unpacked(found.sum / found.weight);
  co_return basis_of(moments, wish, moments.count * static_cast<double>(node.network_size()));
}

}  // namespace

FeatureMoments FeatureMoments::of(const Matrix& psi, const Vector& diagonal) {
  FeatureMoments moments;
  moments.count = static_cast<double>(psi.cols());
  moments.diagonal = diagonal.sum();
  moments.sum = psi.rowwise().sum();
  moments.products.noalias() = psi * psi.transpose();
  return moments;
}

Matrix FeatureMoments::packed() const {
  const Index m = sum.size();
  Matrix column(heads + m + m * (m + 1) / 2, 1);
  column(0) = count;
  column(1) = diagonal;
  column.middleRows(heads, m) = sum;
  Index next = heads + m;
  for (Index j = 0; j < m; ++j) {
    column.middleRows(next, m - j) = products.col(j).tail(m - j);
    next += m - j;
  }
  return column;
}

FeatureMoments FeatureMoments::unpacked(const MatrixView<double>& column) {
  // rows = 2 + m + m(m + 1)/2
  const auto m = static_cast<Index>(
      std::floor((std::sqrt(8.0 * static_cast<double>(column.rows() - heads) + 9) - 3) / 2 + 0.5));
  if (column.rows() != heads + m + m * (m + 1) / 2) {
    fail(ErrorCategory::BadData, "sums of features arrived as {} numbers, which fits no number of features",
         column.rows());
  }
  FeatureMoments moments;
  moments.count = column(0, 0);
  moments.diagonal = column(1, 0);
  moments.sum = column.middleRows(heads, m);
  moments.products.resize(m, m);
  Index next = heads + m;
  for (Index j = 0; j < m; ++j) {
    moments.products.col(j).tail(m - j) = column.middleRows(next, m - j);
    moments.products.row(j).tail(m - j) = moments.products.col(j).tail(m - j).transpose();
    next += m - j;
  }
  return moments;
}

void require_sums_of_samples(const FeatureMoments& moments) {
  const Vector squares = moments.products.diagonal();
  const bool finite = moments.products.allFinite() && moments.sum.allFinite();
  const bool possible = finite && moments.count > 0 && is_mass(moments.count) && is_mass(moments.diagonal) &&
                        squares.minCoeff() >= 0 && is_at_most(squares.sum(), moments.diagonal) &&
                        is_at_most(moments.sum.squaredNorm(), moments.count * squares.sum());
  if (possible) return;
  fail(ErrorCategory::PeerLost,
       "the nodes' sums of features are such as no samples have: {:.6g} samples, squared lengths of {:.6g} "
       "where the "
       "kernel has {:.6g}; a node lies or is broken, and a sum does not show which",
       moments.count, squares.sum(), moments.diagonal);
}

FeatureBasis basis_of(const FeatureMoments& moments, const BasisWish& wish, double samples) {
  if (wish.inner_product) require_sums_of_samples(moments);
  const Index m = moments.sum.size();
  FeatureBasis basis;
  basis.samples = static_cast<Index>(std::llround(samples));
  basis.mean = moments.sum / moments.count;
  // sum over samples of ||phi(x) - mu||^2, as sum of <phi(x), mu> = n ||mu||^2
  basis.trace = samples * (moments.diagonal / moments.count - basis.mean.squaredNorm());
  const Matrix covariance = moments.products / moments.count - basis.mean * basis.mean.transpose();
  // Of an indefinite kernel k(x, x) may be anything; the features have its positive part.
  basis.trace = std::max(basis.trace, samples * covariance.trace());
  const Index wanted = components_to_compute(wish.components, m);
  const Index columns = std::min(wanted + guard_columns, m);
  const EigenPairs top =
      top_eigenpairs(DenseOperator(covariance), {.count = columns, .tol = eigen_tolerance});
  if (!(top.values(0) > feature_rank_cutoff * moments.diagonal / moments.count)) {
    throw Error(
        ErrorCategory::InvalidArgument,
        "all samples are equal, or lie so far from the origin that this kernel cannot tell them apart; they "
        "have no components. If they differ, use --standardize zscore");
  }
  const Vector leading = samples * top.values.head(wanted);
  const bool short_of_it = wish.all_if_short && wish.components.by_fraction() &&
                           !components_that_explain(wish.components.fraction, leading, basis.trace);
  const Index kept = short_of_it
                         ? (leading.array() > feature_rank_cutoff * leading(0)).count()
                         : components_to_keep(wish.components, leading, basis.trace, feature_rank_cutoff);
  const Index all = std::min(kept + guard_columns, columns);
  basis.answer = {
      .directions = top.vectors.leftCols(all), .variances = top.values.head(all).cwiseMax(0), .kept = kept};
  if (wish.appraise) basis.claims = wish.appraise(covariance, basis.answer);
  take_kept(basis);
  return basis;
}

Task<FeatureBasis> agreed_basis(Node& node, SecureSums& sums, FeatureMoments mine, Agree agree,
                                BasisWish wish) {
  const Matrix own = mine.packed();
  mine = {};
  if (agree == Agree::consensus) co_return co_await basis_by_consensus(node, own, wish);
  if (agree == Agree::gossip) co_return co_await basis_by_gossip(node, own, wish);
  co_return co_await basis_by_tree(node, sums, own, wish);
}

}  // namespace choir::consensus_kpca
