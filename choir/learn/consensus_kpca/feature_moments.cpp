#include "choir/learn/consensus_kpca/feature_moments.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "choir/base/error.h"
#include "choir/linalg/eigen.h"
#include "choir/runtime/blocks/average.h"
#include "choir/runtime/blocks/gossip.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir::consensus_kpca {
namespace {

constexpr Index heads = 2;  // count and diagonal
constexpr double feature_rank_cutoff = 1e-10;
constexpr double eigen_tolerance = 1e-12;
constexpr double consensus_tolerance = 1e-9;

Message to_message(const FeatureBasis& basis) {
  Message message(Kind::statistics);
  message.integer(basis.samples).number(basis.trace);
  message.array(basis.mean).array(basis.directions).array(basis.eigenvalues);
  return message;
}

FeatureBasis to_basis(const Message& message) {
  FeatureBasis basis;
  basis.samples = static_cast<Index>(message.integer(0));
  basis.trace = message.number(0);
  basis.mean = message.array(0).matrix();
  basis.directions = message.array(1).matrix();
  basis.eigenvalues = message.array(2).matrix();
  return basis;
}

Task<FeatureBasis> basis_by_tree(Node& node, const Matrix& mine, const ComponentChoice& components) {
  const std::optional<Matrix> all = co_await sum_at_root(node, node.tree(), mine);
  Message result(Kind::statistics);
  if (all) {
    const FeatureMoments moments = FeatureMoments::unpacked(*all);
    result = to_message(basis_of(moments, components, moments.count));
  }
  const Message agreed = co_await broadcast(node, node.tree(), result);
  co_return to_basis(agreed);
}

Task<FeatureBasis> basis_by_consensus(Node& node, const Matrix& mine, const ComponentChoice& components) {
  AverageOptions options;
  options.tol = consensus_tolerance;
  const Average found = co_await average(node, mine, options);
  const FeatureMoments moments = FeatureMoments::unpacked(found.mean);
  const double samples = moments.count * static_cast<double>(node.network_size());
  FeatureBasis basis = basis_of(moments, components, samples);
  basis.converged = found.converged;
  co_return basis;
}

// How far the nodes are apart in the end shows in the consensus gap.
Task<FeatureBasis> basis_by_gossip(Node& node, const Matrix& mine, const ComponentChoice& components) {
  GossipOptions options;
  options.messages = 60 + static_cast<Index>(20 * std::log2(static_cast<double>(node.network_size())));
  options.mean_interval = std::chrono::milliseconds(1);
  options.more_follows = true;
  const Gossiped found = co_await gossip_average(node, mine, options);
  const FeatureMoments moments = FeatureMoments::unpacked(found.sum / found.weight);
  co_return basis_of(moments, components, moments.count * static_cast<double>(node.network_size()));
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
    fail(ErrorCategory::BadData, "sums of features came as {} numbers, which no number of features has",
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

FeatureBasis basis_of(const FeatureMoments& moments, const ComponentChoice& components, double samples) {
  const Index m = moments.sum.size();
  FeatureBasis basis;
  basis.samples = static_cast<Index>(std::llround(samples));
  basis.mean = moments.sum / moments.count;
  // sum over samples of ||phi(x) - mu||^2, as sum of <phi(x), mu> = n ||mu||^2
  basis.trace = samples * (moments.diagonal / moments.count - basis.mean.squaredNorm());
  const Matrix covariance = moments.products / moments.count - basis.mean * basis.mean.transpose();
  const Index wanted = components_to_compute(components, m);
  const EigenPairs top = top_eigenpairs(DenseOperator(covariance), {.count = wanted, .tol = eigen_tolerance});
  const Vector eigenvalues = samples * top.values;
  const Index kept = components_to_keep(components, eigenvalues, basis.trace, feature_rank_cutoff);
  basis.eigenvalues = eigenvalues.head(kept);
  basis.directions = top.vectors.leftCols(kept);
  return basis;
}

Task<FeatureBasis> agreed_basis(Node& node, FeatureMoments mine, Agree agree, ComponentChoice components) {
  const Matrix own = mine.packed();
  mine = {};
  if (agree == Agree::consensus) co_return co_await basis_by_consensus(node, own, components);
  if (agree == Agree::gossip) co_return co_await basis_by_gossip(node, own, components);
  co_return co_await basis_by_tree(node, own, components);
}

}  // namespace choir::consensus_kpca
