#include <algorithm>
#include <optional>
#include <utility>

#include "choir/base/stopwatch.h"
#include "choir/learn/agreement/agreement.h"
#include "choir/learn/consensus_kpca/centring.h"
#include "choir/learn/consensus_kpca/consensus_kpca.h"
#include "choir/learn/consensus_kpca/facts.h"
#include "choir/learn/consensus_kpca/feature_program.h"
#include "choir/learn/consensus_kpca/penalty.h"
#include "choir/learn/consensus_kpca/projection_consensus.h"
#include "choir/learn/consensus_kpca/ritz.h"
#include "choir/learn/consensus_kpca/start.h"
#include "choir/learn/consensus_kpca/surroundings.h"
#include "choir/learn/features/landmarks.h"
#include "choir/runtime/blocks/average.h"
#include "choir/runtime/blocks/stop.h"

namespace choir::consensus_kpca {
namespace {

// Landmarks for centring alone.
constexpr Index landmarks_a_node = 5;
// Rounds of averaging that show how fast a network mixes.
constexpr Index rounds_of_estimate = 40;

// What set-up leaves for the iteration.
struct Prepared {
  ProjectionConsensus state;
  PenaltyRule penalty;
  Columns columns;
  Facts facts;
  double own_trace = 0;
  double mixing = 0;  // of the network, if nodes may be lost
};

std::vector<bool> alive_members(const Node& node) {
  std::vector<bool> alive = {true};
  const auto neighbors = static_cast<Index>(node.neighbors().size());
  for (Index position = 0; position < neighbors; ++position) alive.push_back(!node.lost(position));
  return alive;
}

Rho rho_now(const PenaltyRule& penalty, Index t, const std::vector<bool>& alive) {
  return penalty.at(t).without(static_cast<Index>(std::count(alive.begin(), alive.end(), false)));
}

// The common mean, if there is one, and what it does to the samples of the neighbourhood.
struct Centre {
  TwoMeans means;
  std::optional<SharedLandmarks> landmarks = {};
  Vector mean = {};  // of landmark features
};

Task<Centre> centre(Node& node, Array own, Array shown, Options options, NodeResult& result, Facts& facts) {
  Centre centre;
  if (options.centering != Centering::landmark) co_return centre;
  const LandmarkOptions wanted{
      .per_node = landmarks_a_node, .most = options.n_landmarks, .min_count = options.min_count};
  const SharedLandmarks landmarks = co_await agreed_landmarks(node, own, result.kernel, wanted);
  ShownFeatures features{.own = landmarks.features(result.kernel, own.matrix()), .shown = {}};
  const FeatureMean found = co_await agreed_feature_mean(node, features.own);
  facts.between = found.own_between;
  facts.total = found.own_total;
  result.mean = mean_element(landmarks, found.mean);
  Vector shown_mean = found.mean;
  if (options.exchange_noise > 0) {
    features.shown = landmarks.features(result.kernel, shown.matrix());
    const FeatureMean noisy = co_await agreed_feature_mean(node, features.shown);
    shown_mean = noisy.mean;
    result.shown_mean_weights = landmarks.whitening.matrix() * shown_mean;
  }
  centre.means = co_await exchange_means(node, features, found.mean, shown_mean);
  centre.landmarks = landmarks;
  centre.mean = found.mean;
  co_return centre;
}

void see_skew_without_landmarks(const CentredKernels& kernels, Facts& facts) {
  facts.between = static_cast<double>(kernels.own.rows()) * kernels.mean_distance;
  facts.total = facts.between + kernels.own.trace();
}

Task<Prepared> prepare(Node& node, Shard shard, Options options, NodeResult& result) {
  co_await agree_on_shapes(node, shard.samples());
  result.preprocessing = co_await agreed_preprocessing(node, options.preprocessing, shard.samples());
  shard.preprocess(result.preprocessing);
  const Array own = std::move(shard).share();
  const Array shown = with_noise(node, own, options.exchange_noise);
  const Neighborhood around = co_await meet_neighbors(node, own, shown);
  result.neighborhood = around.nodes;
  result.shards = around.shards;
  result.kernel = options.kernel;
  if (uses_gamma(result.kernel.kind)) {
    result.kernel.gamma = co_await agreed_gamma(node, options.gamma, around.shards);
  }

  Facts facts;
  const Centre seen_from = co_await centre(node, own, shown, options, result, facts);
  CentredKernels kernels =
      centred_kernels(around, result.kernel, options.centering, seen_from.means, options.precision);
  if (options.centering != Centering::landmark) see_skew_without_landmarks(kernels, facts);
  PseudoInverseBasis basis = pseudo_inverse_basis<double>(kernels.own, rank_cutoff);

  const auto neighbors = static_cast<Index>(node.neighbors().size());
  facts.rho_bound = assumption_2_bound(basis.L, neighbors + 1);
  facts.rank = basis.rank() >= most_columns(options) ? basis.rank() : kernels.neighborhood.rank();
  if (kernels.own_are_equal) facts.rank = 0;
  facts.rank_node = node.id();
  facts.samples = own.columns();
  facts.trace = kernels.own.trace();
  facts.resemblance = kernels.resemblance.sum;
  facts.pairs = kernels.resemblance.pairs;
  const double own_trace = facts.trace;
  facts = co_await agreed_facts(node, facts);
  if (is_identity_kernel(result.kernel, facts)) {
    const GammaSpec median{.rule = GammaRule::median};
    const double suggestion = co_await agreed_gamma(node, median, around.shards);
    refuse_identity_kernel(result.kernel, facts, suggestion);
  }
  describe_skew(facts, node.network_size(), result);

  const Columns columns = columns_for(options, facts);
  const PenaltyRule penalty(options.rho, facts.rho_bound);
  require_convex(penalty, basis.L, neighbors, node.id());
  Prepared prepared{
      .state = ProjectionConsensus(std::move(basis), std::move(kernels.neighborhood), columns.all),
      .penalty = penalty,
      .columns = columns,
      .facts = facts,
      .own_trace = own_trace};
  if (node.lost_peers() == LostPeers::proceed) {
    prepared.mixing = co_await estimate_mixing(node, rounds_of_estimate);
  }
  begin(node, options.init, prepared.state);
  if (seen_from.landmarks) {
    co_await align_by_landmarks(node, *seen_from.landmarks, result.kernel, seen_from.mean, own,
                                prepared.state);
  } else {
    co_await align_along_tree(node, options.init, prepared.state);
  }
  co_return prepared;
}

// A: every node l tells j what z_j lacks in its span.
Task<void> improve_z(Node& node, const Rho& rho, ZStep z_step, bool anew, ProjectionConsensus& state) {
  std::vector<Message> outbox;
  for (Index l = 1; l < state.members(); ++l) {
    Message message(Kind::coefficients);
    message.array(state.correction(l, rho, z_step));
    outbox.push_back(std::move(message));
  }
  const Matrix own = state.correction(0, rho, z_step);
  const Inbox inbox = co_await node.exchange(outbox, node.deadline());
  const double sum = rho.sum(static_cast<Index>(inbox.size()));
  if (anew) state.forget();
  state.add(0, own, rho.self / sum);
  for (const Received& other : inbox) {
    state.add(other.position + 1, other.message.array(0).matrix(), rho.other / sum);
  }
}

// B: j tells every node l the inner products of z_j with its samples, and whether j is content.
Task<std::vector<StopWords>> project_z(Node& node, const StopWords& words, ProjectionConsensus& state) {
  const Matrix& y = state.project();
  std::vector<Message> outbox;
  for (Index l = 1; l < state.members(); ++l) {
    Message message(Kind::coefficients);
    message.integer(words.counter).integer(words.stop_at);
    message.array(Matrix(y.middleRows(state.kernel().begin(l), state.kernel().size(l))));
    outbox.push_back(std::move(message));
  }
  const Inbox inbox = co_await node.exchange(outbox, node.deadline());
  std::vector<StopWords> theirs;
  for (const Received& other : inbox) {
    state.set_projection(other.position + 1, other.message.array(0).matrix());
    theirs.push_back({.counter = other.message.integer(0), .stop_at = other.message.integer(1)});
  }
  co_return theirs;
}

// Where nodes may be lost, calls need time for detours.
Index farthest(const Node& node, const Circumstances& circumstances) {
  const Index all = node.network_size() - 1;
  if (node.lost_peers() == LostPeers::proceed) return all;
  return std::min<Index>(all, circumstances.diameter.value_or(2 * node.tree().height));
}

Task<void> iterate(Node& node, const Options& options, const Circumstances& circumstances, Prepared& prepared,
                   NodeResult& result) {
  ProjectionConsensus& state = prepared.state;
  StopAgreement stop(farthest(node, circumstances));
  for (Index t = 0; t < options.max_iter && !stop.reached(t); ++t) {
    Rho rho = rho_now(prepared.penalty, t, alive_members(node));
    const bool first = t == 0;
    if (!first || options.init != Init::gather) {
      const ZStep z_step = first ? ZStep::paper : options.z_step;
      co_await improve_z(node, rho, z_step, first || options.z_step == ZStep::paper, state);
    }
    const std::vector<StopWords> words = co_await project_z(node, stop.words(), state);
    const std::vector<bool> alive = alive_members(node);
    rho = rho_now(prepared.penalty, t, alive);
    result.change = state.solve(rho, alive);  // C
    result.converged = result.change < options.tol;
    result.rho = rho.other;
    result.iterations = t + 1;
    result.history.push_back({.change = result.change, .gap = state.gap(alive)});
    if (circumstances.study.keep_iterates)
      result.iterates.push_back(state.c() * state.unit_scales().asDiagonal());
    stop.advance(t, result.converged, words);
    if (node.id() == 0) node.watch().report("iterations", t + 1, options.max_iter, result.change);
  }
}

Task<RitzStep> ritz_step(Node& node, RitzSums sums, const Prepared& prepared) {
  if (node.lost_peers() == LostPeers::proceed) {
    co_return co_await averaged_ritz(node, sums, prepared.mixing, prepared.facts.samples);
  }
  co_return co_await agreed_ritz(node, sums);
}

// Rayleigh-Ritz on the common subspace, and what the node keeps of it.
Task<void> conclude(Node& node, const Options& options, Prepared& prepared, NodeResult& result) {
  ProjectionConsensus& state = prepared.state;
  state.normalise();
  const Matrix own_scores = state.y().topRows(state.kernel().size(0));
  const RitzSums sums{.squares = own_scores.transpose() * own_scores,
                      .trace = prepared.own_trace,
                      .samples = static_cast<double>(own_scores.rows()),
                      .content = result.converged};
  const RitzStep ritz = co_await ritz_step(node, sums, prepared);
  result.converged = ritz.all_content;
  result.trace = ritz.trace;
  result.total_samples = prepared.facts.samples;
  const Vector leading = ritz.eigenvalues.head(prepared.columns.components);
  const Index kept = options.n_components.by_fraction()
                         ? components_to_keep(options.n_components, leading, ritz.trace, rank_cutoff)
                         : prepared.columns.components;
  result.eigenvalues = leading.head(kept);
  state.rotate(ritz.turn.leftCols(kept));
  for (Matrix& iterate : result.iterates) iterate *= ritz.turn.leftCols(kept);
  result.consensus_gap = state.gaps(alive_members(node));
  result.own_coefficients = state.basis().lift(state.b());
  result.own_overlap = state.b().transpose() * state.b();
  result.neighborhood_coefficients = state.c();
}

}  // namespace

Task<NodeResult> node_program(Node& node, Shard shard, Options options, Circumstances circumstances) {
  validate(options);
  if (options.share != Share::samples) {
    co_return co_await feature_kpca(node, std::move(shard), std::move(options), std::move(circumstances));
  }
  NodeResult result;
  result.node = node.id();
  result.centering = options.centering;
  const Stopwatch setup;
  Prepared prepared = co_await prepare(node, std::move(shard), options, result);
  result.setup_seconds = setup.seconds();
  node.watch().report("nodes ready", 1, 0);
  const Stopwatch loop;
  co_await iterate(node, options, circumstances, prepared, result);
  co_await conclude(node, options, prepared, result);
  result.iterate_seconds = loop.seconds();
  co_return result;
}

}  // namespace choir::consensus_kpca
