#include "choir/learn/oneshot_kpca/everywhere.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/learn/gossip_pca/gossip_pca.h"
#include "choir/learn/oneshot_kpca/at_center.h"
#include "choir/learn/oneshot_kpca/claims.h"
#include "choir/learn/oneshot_kpca/party.h"
#include "choir/metrics/subspace.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir::oneshot_kpca {
namespace {

constexpr Index default_merged = 60;  // directions that travel

// What all parties add up beside their factors: squared lengths about the means, products with the means, and
// the means' squared length below.
Matrix summands_of(SamplesMap features) {
  const Index samples = features.cols();
  const Vector mean = features.rowwise().mean();
  Matrix summands = Matrix::Zero(samples + 1, 2);
  summands.col(0).head(samples) = (features.colwise() - mean).colwise().squaredNorm().transpose();
  summands.col(1).head(samples) = features.transpose() * mean;
  summands(samples, 0) = mean.squaredNorm();
  return summands;
}

// All parties as one: V L V' of the merged scatter, and the sums.
DistanceFactor merged_factor(const gossip_pca::NodeResult& merged, const Matrix& sums) {
  constexpr double rounding = 1e-11;  // of all squared lengths
  const Index samples = merged.directions.rows();
  DistanceFactor all;
  const Vector scatter = merged.variances * merged.total_weight;
  all.coordinates = merged.directions * scatter.cwiseSqrt().asDiagonal();
  const Vector lengths = sums.col(0).head(samples);
  all.residuals = (lengths - all.coordinates.rowwise().squaredNorm()).cwiseMax(0);
  if (all.residuals.sum() <= rounding * lengths.sum()) all.residuals.setZero();
  // Merges drop what is below the smallest direction that they keep.
  if (all.residuals.sum() > 0 && scatter.size() > 0) all.dropped = scatter(scatter.size() - 1);
  all.mean_products = sums.col(1).head(samples);
  all.mean_norm = sums(samples, 0);
  return all;
}

Index directions_carried(const Options& options) {
  return options.local_components.value_or(
      std::max(default_merged, wanted_components(options) + beyond_components));
}

gossip_pca::Options merge_options(const Options& options, Fusion how, Index directions) {
  gossip_pca::Options merging;
  merging.partition = Division::coordinates;
  merging.kernel.kind = KernelKind::linear;
  merging.n_components.count = directions;
  merging.carry = directions;
  merging.schedule = how == Fusion::tree ? gossip_pca::Schedule::tree : gossip_pca::Schedule::random;
  merging.messages_per_node = options.messages_per_node;
  merging.tol = 0;
  return merging;
}

Task<Matrix> sum_over_parties(Node& node, Matrix mine, const Options& options) {
  if (options.fusion == Fusion::tree) {
    const Matrix total = co_await secure_sum(node, std::move(mine));
    co_return total;
  }
  GossipOptions gossip;
  gossip.messages = options.messages_per_node;
  gossip.more_follows = true;
  const Gossiped mean = co_await gossip_average(node, std::move(mine), gossip);
  const Matrix total = mean.sum * (static_cast<double>(node.network_size()) / mean.weight);
  co_return total;
}

// All parties' scatters as one, of so many directions.
Task<gossip_pca::NodeResult> merge_scatters(Node& node, gossip_pca::Options merging, NodeResult& result) {
  gossip_pca::Circumstances circumstances;
  circumstances.own_kind = kind_of(result);
  gossip_pca::NodeResult merged = co_await gossip_pca::node_program(
      node, Shard(SamplesView(result.features.matrix())), gossip_pca::SampleFeed(), merging, circumstances);
  co_return merged;
}

Task<DistanceFactor> merge_along_tree(Node& node, Options options, Index directions, Matrix sums,
                                      NodeResult& result) {
  const gossip_pca::NodeResult merged =
      co_await merge_scatters(node, merge_options(options, Fusion::tree, directions), result);
  if (merged.participants != node.network_size()) {
    fail(ErrorCategory::PeerLost,
         "node {} heard of {} of {} parties; without all features there is no result", node.id(),
         merged.participants, node.network_size());
  }
  co_return merged_factor(merged, sums);
}

// Whether every party has heard of every other. One that is gone fails the run here.
Task<bool> all_heard_of_all(Node& node, Index participants) {
  Matrix missing = Matrix::Constant(1, 1, static_cast<double>(node.network_size() - participants));
  const Matrix most = co_await tree_max(node, node.tree(), std::move(missing), Kind::control);
  co_return most(0, 0) == 0;
}

// The merged factor, by gossip if so many messages reach all parties. Where they do not (long lines, large
// trees), what they brought is of no use, and a tree needs two messages a party.
Task<DistanceFactor> merge_by_gossip(Node& node, Options options, Index directions, Matrix& sums,
                                     NodeResult& result) {
  const gossip_pca::NodeResult merged =
      co_await merge_scatters(node, merge_options(options, Fusion::gossip, directions), result);
  const bool complete = co_await all_heard_of_all(node, merged.participants);
  if (complete) co_return merged_factor(merged, sums);
  result.notes.push_back(fmt::format(
      "news spread too slowly for gossip in this network: {} messages per party did not reach all "
      "parties, so factors were merged along a tree; --fusion tree does so from the start",
      options.messages_per_node));
  options.fusion = Fusion::tree;
  Matrix mine = summands_of(result.features.matrix());
  sums = co_await sum_over_parties(node, std::move(mine), options);
  const DistanceFactor along_tree = co_await merge_along_tree(node, options, directions, sums, result);
  co_return along_tree;
}

// What merges with fewer directions give. A part of the merged factor would not do: its leading directions
// have come out of the same merges, and say nothing about what those lost. Along the tree, however the factor
// itself was merged: two messages a party. Nothing if no party's merges left anything out.
Task<DistanceFactor> merge_fewer(Node& node, Options options, DistanceFactor merged, Matrix sums,
                                 NodeResult& result) {
  Matrix mine = Matrix::Constant(1, 1, merged.dropped > 0 ? 1.0 : 0.0);
  const Matrix left_out = co_await tree_max(node, node.tree(), std::move(mine), Kind::control);
  if (left_out(0, 0) == 0) co_return merged;
  const Index fewer = static_cast<Index>(compared_share * static_cast<double>(directions_carried(options)));
  const DistanceFactor part =
      co_await merge_along_tree(node, options, std::max<Index>(1, fewer), std::move(sums), result);
  co_return part;
}

// The smallest cosine between an answer and the root's, over all parties. Along a tree all have the same
// bits.
Task<void> compare_answers(Node& node, Answer& answer) {
  Message mine(Kind::totals);
  mine.array(Array(answer.vectors));
  const Message message = co_await broadcast(node, node.tree(), std::move(mine));
  const auto of_root = message.array(0).matrix();
  const bool same_size = of_root.rows() == answer.vectors.rows() && of_root.cols() == answer.vectors.cols();
  Matrix apart(1, 1);
  apart(0, 0) = same_size ? 1 - smallest_cosine(answer.vectors, of_root) : 1;
  const Matrix furthest = co_await tree_max(node, node.tree(), std::move(apart), Kind::control);
  answer.agreement = 1 - furthest(0, 0);
  answer.converged = answer.converged && answer.agreement >= least_agreement;
  answer.assessment.claimed_similarity *= std::max(0.0, *answer.agreement);
}

}  // namespace

Task<void> fuse_everywhere(Node& node, Options options, NodeResult& result) {
  result.estimator = Estimator::distances;
  // By moments, while a median is found from the merged distances.
  if (uses_gamma(result.kernel.kind) && options.gamma.rule == GammaRule::scale) {
    const double gamma = co_await gamma_of_parties(node, options.gamma, result);
    options.gamma = {.rule = GammaRule::number, .value = gamma};
  }
  const Index directions = directions_carried(options);
  note_size(std::min(directions, result.features.rows()), options, result);
  Matrix mine = summands_of(result.features.matrix());
  Matrix sums = co_await sum_over_parties(node, std::move(mine), options);
  DistanceFactor merged;
  if (options.fusion == Fusion::gossip) {
    merged = co_await merge_by_gossip(node, options, directions, sums, result);
  } else {
    merged = co_await merge_along_tree(node, options, directions, sums, result);
  }
  const DistanceFactor fewer = co_await merge_fewer(node, options, merged, sums, result);
  // The same pairs of samples at all parties, so that they end with the same gamma.
  constexpr std::uint64_t common_seed = 0;
  result.answer = answer_from_distances(node, {merged}, {fewer}, common_seed, options, result);
  if (options.fusion == Fusion::gossip) co_await compare_answers(node, *result.answer);
}

}  // namespace choir::oneshot_kpca
