#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/base/stopwatch.h"
#include "choir/kernel/gram.h"
#include "choir/learn/agreement/agreement.h"
#include "choir/learn/consensus_kpca/appraised_basis.h"
#include "choir/learn/consensus_kpca/centring.h"
#include "choir/learn/consensus_kpca/consensus_kpca.h"
#include "choir/learn/consensus_kpca/facts.h"
#include "choir/learn/consensus_kpca/feature_program.h"
#include "choir/learn/consensus_kpca/penalty.h"
#include "choir/learn/consensus_kpca/private_program.h"
#include "choir/learn/consensus_kpca/projection_consensus.h"
#include "choir/learn/consensus_kpca/resemblance.h"
#include "choir/learn/consensus_kpca/ritz.h"
#include "choir/learn/consensus_kpca/shared_view.h"
#include "choir/learn/consensus_kpca/start.h"
#include "choir/learn/consensus_kpca/surroundings.h"
#include "choir/learn/features/appraisal.h"
#include "choir/learn/features/landmarks.h"
#include "choir/learn/plausibility.h"
#include "choir/linalg/eigen.h"
#include "choir/runtime/blocks/average.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"
#include "choir/runtime/blocks/stop.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir::consensus_kpca {
namespace {

// Negative eigenvalues below this share of the largest one are rounding.
constexpr double negative_tolerance = 1e-8;
// Rounds of averaging that show how fast a network mixes.
constexpr Index rounds_of_estimate = 40;

// What all nodes know through landmarks: the shared answer, and how to see others from it.
struct Shared {
  LandmarkView view;
  AppraisedBasis answer;
};

// What set-up leaves for the iteration.
struct Prepared {
  ProjectionConsensus state;
  PenaltyRule penalty;
  Columns columns;
  Facts facts;
  std::optional<Shared> shared = {};  // centering landmark
  bool sees_all = false;              // every node is every other's neighbour, and the start is exact
  Matrix start = {};                  // c_j as the iteration found it
  double own_trace = 0;
  double longest_projection = 0;  // of a centred sample on a direction; infinity: the kernel has no bound
  double mixing = 0;              // of the network, if nodes may be lost
  SecureSums sums;
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
  std::optional<Shared> shared = {};
  bool exact = false;  // every node sees all samples, and so their mean
};

Task<bool> everybody_sees_all(Node& node) {
  const auto members = static_cast<Index>(node.neighbors().size()) + 1;
  Matrix missing = Matrix::Constant(1, 1, static_cast<double>(node.network_size() - members));
  const Matrix most = co_await tree_max(node, node.tree(), std::move(missing));
  co_return most(0, 0) == 0;
}

Task<Centre> centre(Node& node, SecureSums& sums, const Neighborhood& around, const Matrix& kernel,
                    Array shown, Options options, NodeResult& result, Facts& facts) {
  Centre centre;
  const Array own = around.shards.front();
  if (options.centering != Centering::landmark) co_return centre;
  FeatureMap map{.kernel = result.kernel};
  const LandmarkOptions wanted = landmarks_wanted(options, result.preprocessing);
  map.landmarks = co_await agreed_landmarks(node, sums, own, result.kernel, wanted);
  const SharedLandmarks& landmarks = *map.landmarks;
  ShownFeatures features{.own = landmarks.features(result.kernel, own.matrix()), .shown = {}};
  const bool start_is_kernel_pca = options.init == Init::gather && options.exchange_noise == 0;
  if (start_is_kernel_pca) centre.exact = co_await everybody_sees_all(node);
  AppraisedBasis answer =
      co_await appraised_basis(node, sums, map, features.own, kernel, options, centre.exact);
  const FeatureMean found = seen_from(answer.basis.mean, features.own);
  facts.between = found.own_between;
  facts.total = found.own_total;
  result.shared_mean = mean_element(landmarks, found.mean);
  result.mean = result.shared_mean;
  Vector shown_mean = found.mean;
  if (options.exchange_noise > 0) {
    features.shown = landmarks.features(result.kernel, shown.matrix());
    const FeatureMean noisy = co_await agreed_feature_mean(node, sums, features.shown);
    shown_mean = noisy.mean;
    result.shown_mean_weights = landmarks.whitening.matrix() * shown_mean;
  }
  centre.means = co_await exchange_means(node, features, found.mean, shown_mean, around.sizes());
  if (centre.exact) {
    result.mean = mean_of_all(around, result.kernel);
    centre.means = means_seen_from(result.mean, around, result.kernel);
  }
  centre.shared =
      Shared{.view = {landmarks, result.kernel, found.mean, shown_mean}, .answer = std::move(answer)};
  co_return centre;
}

void see_skew_without_landmarks(const CentredKernels& kernels, Facts& facts) {
  facts.between = static_cast<double>(kernels.own.rows()) * kernels.mean_distance;
  facts.total = facts.between + kernels.own.trace();
}

// Projections on the span of samples need a kernel that is an inner product on them.
void require_positive(KernelKind kind, const Matrix& kernel, NodeId node) {
  const Vector values = eigen_symmetric<double>(kernel).values;
  const double smallest = values(values.size() - 1);
  if (smallest >= -negative_tolerance * values(0)) return;
  fail(ErrorCategory::InvalidArgument,
       "the {} kernel is no inner product on the samples of node {}: its centred kernel matrix has "
       "eigenvalues from {:.3g} to {:.3g}; use --share landmarks, which takes the positive part, or another "
       "kernel",
       to_string(kind), node, smallest, values(0));
}

// z_j in landmark features, or w_j where there is no z_j yet.
Matrix start_seen_by_all(const LandmarkView& view, const std::vector<Array>& shards, Init init,
                         const ProjectionConsensus& state) {
  if (init == Init::gather) return in_landmark_features(view, shards, state.c());
  return in_landmark_features(view, {shards.front()}, state.basis().lift(state.b()));
}

Task<Prepared> prepare(Node& node, Shard shard, Options options, NodeResult& result) {
  co_await agree_on_shapes(node, shard.samples());
  result.preprocessing = co_await agreed_preprocessing(node, options.preprocessing, shard.samples());
  shard.preprocess(result.preprocessing);
  const Array own = std::move(shard).share();
  const Array shown = with_noise(own, options.exchange_noise);
  if (options.exchange_noise > 0) result.notes.emplace_back(noise_note);
  const Neighborhood around = co_await meet_neighbors(node, own, shown);
  result.neighborhood = around.nodes;
  result.shards = around.shards;
  result.kernel = options.kernel;
  if (uses_gamma(result.kernel.kind)) {
    result.kernel.gamma = co_await agreed_gamma(node, options.gamma, around.shards);
  }
  const Matrix kernel = gram<double>(result.kernel, own.matrix(), own.matrix());
  SecureSums sums = co_await open_secure_sums(node);
  co_await require_resemblance(node, sums, result.kernel, own.matrix(), kernel);

  Facts facts;
  const Centre seen_from = co_await centre(node, sums, around, kernel, shown, options, result, facts);
  CentredKernels kernels =
      centred_kernels(around, result.kernel, options.centering, seen_from.means, options.precision);
  if (options.centering != Centering::landmark) see_skew_without_landmarks(kernels, facts);
  if (!is_inner_product(result.kernel)) require_positive(result.kernel.kind, kernels.own, node.id());
  PseudoInverseBasis basis = pseudo_inverse_basis<double>(kernels.own, rank_cutoff);

  const auto neighbors = static_cast<Index>(node.neighbors().size());
  facts.rho_bound = assumption_2_bound(basis.L, neighbors + 1);
  facts.rank = basis.rank() >= most_columns(options) ? basis.rank() : kernels.neighborhood.rank();
  if (kernels.own_are_equal) facts.rank = 0;
  facts.rank_node = node.id();
  facts.samples = own.columns();
  facts.trace = kernels.own.trace();
  const double own_trace = facts.trace;
  facts = co_await agreed_facts(node, sums, facts);
  describe_skew(facts, node.network_size(), result);

  // As many components as the shared answer needs for a share of the variance.
  if (seen_from.shared && options.n_components.by_fraction())
    options.n_components = {.count = std::min(seen_from.shared->answer.basis.answer.kept, facts.rank)};
  const Columns columns = columns_for(options, facts);
  const PenaltyRule penalty(options.rho, facts.rho_bound);
  require_convex(penalty, basis.L, neighbors, node.id());
  Prepared prepared{
      .state = ProjectionConsensus(std::move(basis), std::move(kernels.neighborhood), columns.all),
      .penalty = penalty,
      .columns = columns,
      .facts = facts,
      .own_trace = own_trace,
      .longest_projection = 2 * std::sqrt(largest_square(result.kernel)),
      .sums = std::move(sums)};
  if (node.lost_peers() == LostPeers::proceed) {
    prepared.mixing = co_await estimate_mixing(node, rounds_of_estimate);
  }
  begin(node, options.init, prepared.state);
  if (seen_from.shared) {
    Matrix seen = start_seen_by_all(seen_from.shared->view, around.shards, options.init, prepared.state);
    co_await align_by_landmarks(node, std::move(seen), prepared.state);
  } else {
    co_await align_along_tree(node, options.init, prepared.state);
  }
  prepared.sees_all = seen_from.exact;
  prepared.start = prepared.state.c();
  prepared.shared = seen_from.shared;
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
  const NeighborhoodKernel& kernel = state.kernel();
  for (const Received& other : inbox) {
    const Index member = other.position + 1;
    const auto correction = matrix_from(other, 0, kernel.size(member), state.columns(), "coefficients");
    state.add(member, correction, rho.other / sum);
  }
}

// B: j tells every node l the inner products of z_j with its samples, and whether j is content.
Task<std::vector<StopWords>> project_z(Node& node, const StopWords& words, Prepared& prepared) {
  ProjectionConsensus& state = prepared.state;
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
    const auto projection = matrix_from(other, 0, state.kernel().size(0), state.columns(), "projections");
    require_possible(is_at_most(projection.cwiseAbs().maxCoeff(), prepared.longest_projection), other.from,
                     "projections", "directions of unit length have none as long");
    state.set_projection(other.position + 1, projection);
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
    const std::vector<StopWords> words = co_await project_z(node, stop.words(), prepared);
    const std::vector<bool> alive = alive_members(node);
    rho = rho_now(prepared.penalty, t, alive);
    // C; of the components that are kept, the one that moved most.
    result.change = state.solve(rho, alive).head(prepared.columns.components).maxCoeff();
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

Task<RitzStep> ritz_step(Node& node, RitzSums mine, Prepared& prepared) {
  if (node.lost_peers() == LostPeers::proceed) {
    co_return co_await averaged_ritz(node, mine, prepared.mixing, prepared.facts.samples);
  }
  co_return co_await agreed_ritz(node, prepared.sums, mine);
}

// Whether the answer may be compared with others and another one be taken: not where the printed method, or a
// number of iterations, was asked for, nor where a tree cannot be relied on.
bool may_choose(const Node& node, const Options& options, const Prepared& prepared) {
  return prepared.shared && options.tol > 0 && options.init == Init::gather &&
         options.z_step == ZStep::unbiased && node.lost_peers() != LostPeers::proceed;
}

// The start is taken back if the iteration ended at some node with what are no numbers, or if it lies nearer
// to the shared answer than what the iteration made of it: then noise, or a penalty that is too small, has
// led it away. Where every node sees all samples, the start is kernel PCA of all samples, and nothing is
// better.
Task<void> keep_the_better(Node& node, const StopWords& words, Prepared& prepared, NodeResult& result) {
  ProjectionConsensus& state = prepared.state;
  const Shared& shared = *prepared.shared;
  const GuardedAnswer& answer = shared.answer.basis.answer;
  const auto agreement_of = [&](const Matrix& coefficients) {
    return agreement_with(answer, in_landmark_features(shared.view, result.shards, coefficients));
  };
  const bool finite = state.c().allFinite() && state.y().allFinite();
  Matrix agreements(3, 1);
  agreements << (finite ? agreement_of(state.c()) : 0), agreement_of(prepared.start), (finite ? 0 : 1);
  agreements /= static_cast<double>(node.network_size());
  const Matrix mean = co_await secure_sum(node, prepared.sums, std::move(agreements));
  const double iterate = mean(0, 0);
  const double start = mean(1, 0);
  const bool diverged = mean(2, 0) > 0;
  if (!prepared.sees_all && !diverged && iterate >= start) co_return;
  state.begin_with_coefficients(prepared.start);
  co_await project_z(node, words, prepared);
  if (prepared.sees_all) {
    result.converged = true;
    co_return;
  }
  result.converged = false;
  result.led_away = true;
  result.notes.push_back(
      fmt::format("the iteration led away from the shared answer (mean squared cosine {:.3f}, {:.3f} at the "
                  "start), so the "
                  "start was kept as the neighborhood's answer; use --rho auto, or less --exchange-noise",
                  iterate, start));
}

// Rayleigh-Ritz on the common subspace, and what the node keeps of it.
Task<void> conclude(Node& node, const Options& options, Prepared& prepared, NodeResult& result) {
  ProjectionConsensus& state = prepared.state;
  state.normalise();
  const Matrix own_scores = state.y().topRows(state.kernel().size(0));
  if (!own_scores.allFinite()) {
    fail(
        ErrorCategory::InvalidArgument,
        "the iteration has diverged: the directions of node {} are no numbers after {} iterations; use --rho "
        "auto, fewer iterations, or --share landmarks",
        node.id(), result.iterations);
  }
  RitzSums sums{.squares = own_scores.transpose() * own_scores,
                .sum = own_scores.colwise().sum(),
                .trace = prepared.own_trace,
                .samples = static_cast<double>(own_scores.rows()),
                .content = result.converged};
  if (options.centering == Centering::none) sums.sum.setZero();
  const RitzStep ritz = co_await ritz_step(node, sums, prepared);
  result.converged = ritz.all_content;
  result.trace = ritz.trace;
  result.total_samples = prepared.facts.samples;
  const Vector leading = ritz.eigenvalues.head(prepared.columns.components);
  const Index kept = options.n_components.by_fraction() && (!prepared.shared || prepared.sees_all)
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

// Of the neighbourhood's answer, which differs by node. Where every node sees all samples it is the central
// one.
Assessment neighborhood_assessment(const Prepared& prepared, const Vector& cosines,
                                   const NodeResult& result) {
  const AppraisedBasis& shared = prepared.shared->answer;
  const auto samples = static_cast<double>(result.total_samples);
  Assessment assessment;
  assessment.captured_variance = result.eigenvalues / samples;
  assessment.total_variance = result.trace / samples;
  assessment.unseparated = unseparated_groups(shared.basis.answer.variances, cosines.size());
  if (prepared.sees_all) assessment.captured_share = 1;
  assessment.claimed_similarity =
      prepared.sees_all ? Vector(Vector::Ones(cosines.size()))
                        : claims_beside(cosines, shared.assessment.claimed_similarity.head(cosines.size()));
  call_weak_claims(assessment, "use --use shared, or give nodes more neighbours");
  return assessment;
}

void use_shared(const AppraisedBasis& shared, NodeResult& result) {
  const Index kept = result.eigenvalues.size();
  result.assessment = assessment_of_leading(shared, kept);
  result.eigenvalues = shared.basis.eigenvalues.head(kept);
  result.trace = shared.basis.trace;
  result.converged = shared.basis.converged;
}

// As many components as a share of the variance needs may be more than some neighbourhood has directions.
void call_too_few(const Options& options, const Prepared& prepared, NodeResult& result) {
  const Index kept = result.eigenvalues.size();
  if (!options.n_components.by_fraction() || prepared.sees_all || !prepared.shared) return;
  if (kept >= prepared.shared->answer.basis.answer.kept) return;
  result.assessment.weaknesses.push_back(fmt::format(
      "{} components explain {:.0f}% of the variance, not the {:.0f}% asked for: the samples of node {}'s "
      "neighbourhood have no more directions; use --share landmarks, or give nodes more neighbours",
      kept, 100 * result.eigenvalues.sum() / result.trace, 100 * options.n_components.fraction,
      prepared.facts.rank_node));
}

// Which answer is used, and what can be said about it.
Task<void> assess(Node& node, const Options& options, const Prepared& prepared, NodeResult& result) {
  result.use = options.use.value_or(Answer::neighborhood);
  if (!prepared.shared) co_return;
  const Shared& shared = *prepared.shared;
  const AppraisedBasis& answer = shared.answer;
  const Index kept = result.eigenvalues.size();
  result.shared_coefficients =
      shared.view.landmarks.whitening.matrix() * answer.basis.directions.leftCols(kept);
  if (result.use == Answer::shared) use_shared(answer, result);
  if (!may_choose(node, options, prepared)) co_return;
  Matrix seen = in_landmark_features(shared.view, result.shards, result.neighborhood_coefficients);
  const Vector cosines = co_await agreed_cosines(node, answer.basis.answer, std::move(seen));
  const Vector claims = answer.assessment.claimed_similarity.head(kept);
  const bool neighborhood = prepared.sees_all || (result.converged && is_better_beside(cosines, claims));
  if (!options.use && !neighborhood) result.use = Answer::shared;
  if (result.use == Answer::shared) use_shared(answer, result);
  if (result.use == Answer::neighborhood)
    result.assessment = neighborhood_assessment(prepared, cosines, result);
  if (result.use == Answer::own) {
    Matrix own = in_landmark_features(shared.view, {result.shards.front()}, result.own_coefficients);
    result.assessment = co_await appraised_own(node, answer, std::move(own), result.own_overlap);
  }
}

}  // namespace

Task<NodeResult> node_program(Node& node, Shard shard, Options options, Circumstances circumstances) {
  validate(options);
  if (options.privacy.wanted()) {
    co_return co_await private_kpca(node, std::move(shard), std::move(options), std::move(circumstances));
  }
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
  if (may_choose(node, options, prepared)) co_await keep_the_better(node, StopWords(), prepared, result);
  co_await conclude(node, options, prepared, result);
  co_await assess(node, options, prepared, result);
  call_too_few(options, prepared, result);
  result.iterate_seconds = loop.seconds();
  co_return result;
}

}  // namespace choir::consensus_kpca
