#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/base/stopwatch.h"
#include "choir/learn/agreement/agreement.h"
#include "choir/learn/gossip_pca/gossip_pca.h"
#include "choir/learn/oneshot_kpca/factor_message.h"
#include "choir/learn/oneshot_kpca/factors.h"
#include "choir/learn/oneshot_kpca/fused_kernel.h"
#include "choir/learn/oneshot_kpca/oneshot_kpca.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir::oneshot_kpca {
namespace {

constexpr double rbf_epsilon = 5e-4;
constexpr double scatter_epsilon = 0.04;  // linear kernels, and distances
// At D_j = D the result is inexact even for one party: the mean takes a direction.
constexpr Index beyond_components = 5;
constexpr Index default_merged = 60;  // directions that travel where there is no centre

Index wanted_components(const Options& options) {
  return options.n_components.by_fraction() ? options.n_components.max_count : options.n_components.count;
}

FactorSize solver_of(const Node& node, const Options& options) {
  const bool product = options.estimator == Estimator::product;
  const bool linear_product = product && options.kernel.kind == KernelKind::linear;
  const bool of_scatters = linear_product || !product;
  return {.count = options.local_components,
          .epsilon = options.epsilon.value_or(of_scatters ? scatter_epsilon : rbf_epsilon),
          .least = linear_product ? 1 : wanted_components(options) + beyond_components,
          .tol = options.tol,
          .max_iter = options.max_iter,
          .threads = node.threads()};
}

bool needs_gamma_first(const Options& options) {
  return uses_gamma(options.kernel.kind) && options.estimator == Estimator::product &&
         options.fusion == Fusion::center;
}

// A party has all samples of its features, but not all features: sums over parties.
Task<double> gamma_of_parties(Node& node, GammaSpec spec, SamplesMap features,
                              std::vector<std::string>& notes) {
  if (spec.rule == GammaRule::number) co_return spec.value;
  const auto samples = static_cast<double>(features.cols());
  if (spec.rule == GammaRule::scale) {
    Moments mine = entry_moments(features);
    const Moments entries = co_await agreed_moments(node, std::move(mine));
    const double gamma = gamma_scale(static_cast<Index>(std::llround(entries.count / samples)), entries);
    co_return gamma;
  }
  notes.emplace_back(median_stand_in_note);
  Matrix variance(1, 1);
  variance(0, 0) = (features.colwise() - features.rowwise().mean()).squaredNorm() / samples;
  const Matrix total = co_await tree_sum(node, node.tree(), std::move(variance));
  if (!(total(0, 0) > 0)) {
    throw Error(ErrorCategory::InvalidArgument,
                "the data do not vary, so gamma cannot be taken from them; give a number");
  }
  co_return 1 / (4 * total(0, 0));
}

void check_size(Index sent, SamplesMap features, const Options& options, NodeResult& result) {
  result.vectors_sent = sent;
  // What the centre has in its own features stays there.
  const bool leaves = options.fusion != Fusion::center || result.node != options.center;
  result.raw_equivalent = leaves && sent >= features.rows();
  if (!result.raw_equivalent) return;
  const std::string what = fmt::format(
      "node {} has {} feature{} and sends {} vectors: as much as the features themselves, which they show up "
      "to "
      "a rotation",
      result.node, features.rows(), features.rows() == 1 ? "" : "s", sent);
  if (options.no_raw_equivalent) {
    fail(ErrorCategory::InvalidArgument,
         "{}; a party needs more than {} features for this, or a smaller number of local components", what,
         sent);
  }
  result.notes.push_back(what);
}

// What a party sends, and that it is what it is.
Kind kind_of(const NodeResult& result) { return result.raw_equivalent ? Kind::raw_samples : Kind::features; }

// All parties' messages at the centre, its own among them, by node; nothing at the others. The one message.
Task<std::vector<Message>> gather_at_center(Node& node, NodeId center, Message mine) {
  const Channel channel = node.open_reliable_channel();
  std::vector<Message> all;
  if (node.id() != center) {
    mine.on(channel, 0);
    node.send(center, std::move(mine));
    co_return all;
  }
  for (NodeId party = 0; party < node.network_size(); ++party) {
    if (party == center) {
      all.push_back(mine);
      continue;
    }
    const std::optional<Received> mail = co_await node.receive_from(party, channel, node.deadline());
    if (!mail) {
      fail(
          ErrorCategory::PeerLost,
          "the centre, node {}, waits for the factor of node {}, which has ended or did not send it in time; "
          "without its features there is no result",
          center, party);
    }
    all.push_back(mail->message);
  }
  co_return all;
}

Answer answer_of(FusedAnswer fused, Vector lengths) {
  Answer answer;
  answer.scores = fused.vectors * fused.eigenvalues.cwiseSqrt().asDiagonal();
  answer.vectors = std::move(fused.vectors);
  answer.eigenvalues = std::move(fused.eigenvalues);
  answer.trace = fused.trace;
  answer.centring = std::move(fused.centring);
  answer.lengths = std::move(lengths);
  answer.converged = fused.converged;
  answer.residual = fused.residual;
  return answer;
}

Answer fused_from_products(const Node& node, const std::vector<Message>& messages, const NodeResult& party,
                           const Options& options) {
  const Stopwatch clock;
  std::vector<KernelFactor> factors;
  for (std::size_t from = 0; from < messages.size(); ++from) {
    factors.push_back(
        unpack_kernel_factor(messages[from], party.features.columns(), static_cast<NodeId>(from)));
  }
  const GramOptions work{.threads = node.threads(), .watch = node.watch()};
  const FusedKernel kernel = fuse_products(party.kernel, factors, work);
  const FusedAnswer fused = leading_components(kernel, options.n_components, solver_of(node, options));
  Answer answer = answer_of(fused, {});
  answer.bound = sin_theta_bound(party.kernel, factors, fused);
  answer.seconds = clock.seconds();
  return answer;
}

Answer fused_from_distances(const Node& node, const std::vector<DistanceFactor>& factors, std::uint64_t seed,
                            const Options& options, NodeResult& party) {
  const Stopwatch clock;
  if (uses_gamma(party.kernel.kind)) party.kernel.gamma = gamma_of_distances(options.gamma, factors, seed);
  const GramOptions work{.threads = node.threads(), .watch = node.watch()};
  const FusedKernel kernel = fuse_distances(party.kernel, factors, work);
  Answer answer = answer_of(leading_components(kernel, options.n_components, solver_of(node, options)),
                            lengths_of(factors));
  answer.seconds = clock.seconds();
  return answer;
}

// estimator = product, eqs. 2 and 3.
Task<void> fuse_products_at_center(Node& node, const Options& options, NodeResult& result) {
  const Stopwatch clock;
  const KernelFactor mine = kernel_factor(result.kernel, result.features.matrix(), solver_of(node, options));
  result.centred_by_parties = result.kernel.kind == KernelKind::linear;
  result.local_seconds = clock.seconds();
  check_size(mine.values.size(), result.features.matrix(), options, result);
  Message message = pack(mine, kind_of(result));
  const std::vector<Message> all = co_await gather_at_center(node, options.center, std::move(message));
  if (!all.empty()) result.answer = fused_from_products(node, all, result, options);
}

// The centre chose gamma after it had the factors; a party needs it for its model.
Task<void> tell_gamma(Node& node, NodeId center, NodeResult& result) {
  if (!uses_gamma(result.kernel.kind)) co_return;
  const Channel channel = node.open_reliable_channel();
  if (node.id() == center) {
    for (const NodeId party : node.neighbors()) {
      Message word(Kind::control);
      word.number(result.kernel.gamma).on(channel, 0);
      node.send(party, std::move(word));
    }
    co_return;
  }
  const std::optional<Received> mail = co_await node.receive_from(center, channel, node.deadline());
  if (!mail) {
    fail(ErrorCategory::PeerLost,
         "node {} waits for word of the centre, node {}, which has ended or is silent", node.id(), center);
  }
  result.kernel.gamma = mail->message.number(0);
}

Task<void> fuse_distances_at_center(Node& node, const Options& options, NodeResult& result) {
  const Stopwatch clock;
  const DistanceFactor mine = distance_factor(result.features.matrix(), solver_of(node, options));
  result.local_seconds = clock.seconds();
  check_size(mine.coordinates.cols(), result.features.matrix(), options, result);
  Message message = pack(mine, kind_of(result));
  const std::vector<Message> all = co_await gather_at_center(node, options.center, std::move(message));
  if (!all.empty()) {
    std::vector<DistanceFactor> factors;
    for (std::size_t from = 0; from < all.size(); ++from) {
      factors.push_back(
          unpack_distance_factor(all[from], result.features.columns(), static_cast<NodeId>(from)));
    }
    const std::uint64_t seed = node.rng(Purpose("oneshot-kpca-gamma"), 0).bits();
    result.answer = fused_from_distances(node, factors, seed, options, result);
  }
  co_await tell_gamma(node, options.center, result);
}

// What all parties add up beside their factors: squared lengths about the means, products with the means, and
// a few numbers below.
Matrix summands_of(SamplesMap features) {
  const Index samples = features.cols();
  const Vector mean = features.rowwise().mean();
  Matrix summands = Matrix::Zero(samples + 4, 2);
  summands.col(0).head(samples) = (features.colwise() - mean).colwise().squaredNorm().transpose();
  summands.col(1).head(samples) = features.transpose() * mean;
  summands.col(0).tail(4) << mean.squaredNorm(), static_cast<double>(features.size()), features.sum(),
      features.squaredNorm();
  return summands;
}

// All parties as one: V L V' of the merged scatter, and the sums.
DistanceFactor merged_factor(const gossip_pca::NodeResult& merged, const Matrix& sums) {
  const Index samples = merged.directions.rows();
  DistanceFactor all;
  const Vector roots = (merged.variances * merged.total_weight).cwiseSqrt();
  all.coordinates = merged.directions * roots.asDiagonal();
  all.residuals = (sums.col(0).head(samples) - all.coordinates.rowwise().squaredNorm()).cwiseMax(0);
  all.mean_products = sums.col(1).head(samples);
  all.mean_norm = sums(samples, 0);
  const double count = sums(samples + 1, 0);
  const double mean = sums(samples + 2, 0) / count;
  all.entries = {.count = count,
                 .mean = Vector::Constant(1, mean),
                 .squares = Vector::Constant(1, sums(samples + 3, 0) - count * mean * mean)};
  return all;
}

gossip_pca::Options merge_options(const Options& options) {
  gossip_pca::Options merging;
  merging.partition = Division::coordinates;
  merging.kernel.kind = KernelKind::linear;
  merging.n_components.count = options.local_components.value_or(
      std::max(default_merged, wanted_components(options) + beyond_components));
  merging.carry = merging.n_components.count;
  merging.schedule =
      options.fusion == Fusion::tree ? gossip_pca::Schedule::tree : gossip_pca::Schedule::random;
  merging.messages_per_node = options.messages_per_node;
  merging.tol = 0;
  return merging;
}

Task<Matrix> sum_over_parties(Node& node, Matrix mine, const Options& options) {
  if (options.fusion == Fusion::tree) {
    const Matrix total = co_await tree_sum(node, node.tree(), std::move(mine));
    co_return total;
  }
  GossipOptions gossip;
  gossip.messages = options.messages_per_node;
  gossip.more_follows = true;
  const Gossiped mean = co_await gossip_average(node, std::move(mine), gossip);
  const Matrix total = mean.sum * (static_cast<double>(node.network_size()) / mean.weight);
  co_return total;
}

// Without a centre: every party ends with the factor of all features and forms the kernel itself.
Task<void> fuse_everywhere(Node& node, const Options& options, NodeResult& result) {
  const gossip_pca::Options merging = merge_options(options);
  check_size(std::min(merging.n_components.count, result.features.rows()), result.features.matrix(), options,
             result);
  gossip_pca::Circumstances circumstances;
  circumstances.own_kind = kind_of(result);
  Matrix mine = summands_of(result.features.matrix());
  const Matrix sums = co_await sum_over_parties(node, std::move(mine), options);
  const gossip_pca::NodeResult merged = co_await gossip_pca::node_program(
      node, Shard(SamplesView(result.features.matrix())), gossip_pca::SampleFeed(), merging, circumstances);
  if (merged.participants != node.network_size()) {
    fail(ErrorCategory::PeerLost,
         "node {} heard of {} of {} parties; without all features there is no result", node.id(),
         merged.participants, node.network_size());
  }
  const std::vector<DistanceFactor> all = {merged_factor(merged, sums)};
  // The same pairs of samples at all parties, so that they end with the same gamma.
  constexpr std::uint64_t common_seed = 0;
  result.answer = fused_from_distances(node, all, common_seed, options, result);
}

}  // namespace

Task<NodeResult> node_program(Node& node, Shard shard, SampleOrder order, Options options) {
  NodeResult result;
  result.node = node.id();
  if (options.match_keys) {
    Samples ordered = std::move(shard).take();
    result.left_out = co_await restore_order(node, ordered, order);
    shard = Shard(std::move(ordered));
  }
  co_await require_same_order(node, std::move(order));
  result.preprocessing = options.preprocessing;
  if (options.preprocessing.standardize == Standardize::zscore) {  // a party has all there is of its features
    result.preprocessing = fit_zscore(options.preprocessing.divide, feature_moments(shard.samples()));
  }
  shard.preprocess(result.preprocessing);
  result.features = std::move(shard).share();
  result.kernel = options.kernel;
  if (needs_gamma_first(options)) {
    result.kernel.gamma =
        co_await gamma_of_parties(node, options.gamma, result.features.matrix(), result.notes);
  }
  if (options.fusion != Fusion::center) {
    co_await fuse_everywhere(node, options, result);
  } else if (options.estimator == Estimator::product) {
    co_await fuse_products_at_center(node, options, result);
  } else {
    co_await fuse_distances_at_center(node, options, result);
  }
  co_return result;
}

}  // namespace choir::oneshot_kpca
