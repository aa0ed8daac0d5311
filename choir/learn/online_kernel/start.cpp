#include "choir/learn/online_kernel/start.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/learn/agreement/agreement.h"
#include "choir/learn/agreement/clipping.h"
#include "choir/learn/online_kernel/class_balance.h"
#include "choir/learn/online_kernel/step.h"
#include "choir/runtime/blocks/extremes.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"

namespace choir::online_kernel {
namespace {

void require_fit(const State& earlier, Index features, const Options& options) {
  if (earlier.f.atoms.rows() == features && earlier.f.weights.cols() == outputs_of(options)) return;
  fail(ErrorCategory::InvalidArgument,
       "the state to resume from has {} features and {} outputs, but the stream has {} features and the "
       "options ask for {} outputs; resume with the data and options it was made with",
       earlier.f.atoms.rows(), earlier.f.weights.cols(), features, outputs_of(options));
}

// Its last batch was short, or none: with more samples behind it that round would have been another one.
void require_same_end(const State& earlier, NodeId node, Index more) {
  if (!earlier.ended || more == 0) return;
  fail(ErrorCategory::InvalidArgument,
       "node {}'s stream had ended after {} samples when the state to resume from was saved, and has more "
       "samples now; resume from a state saved before its end, or start again",
       node, earlier.samples);
}

// Whether the nodes' streams and earlier states fit together.
Task<void> require_same_start(Node& node, std::uint64_t round, const Samples& first, const Options& options) {
  const auto features = static_cast<double>(first.rows());
  // Everybody alone may be at any round, but the first agreement needs all or none.
  const auto rounds =
      static_cast<double>(options.consensus == Consensus::none ? std::min<std::uint64_t>(round, 1) : round);
  Vector mine(5);
  mine << features, -features, rounds, -rounds, static_cast<double>(first.cols());
  const Vector largest = co_await max_consensus(node, std::move(mine), hops_to_everybody(node));
  if (largest(0) != -largest(1)) {
    fail(ErrorCategory::BadData,
         "the streams of some nodes have {} features and those of others {}, node {}'s {}; all need the same",
         -largest(1), largest(0), node.id(), first.rows());
  }
  if (largest(2) != -largest(3)) {
    fail(ErrorCategory::InvalidArgument,
         "some nodes would resume after round {} and others after round {}, node {} after round {}; resume "
         "all from the same round, or none",
         -largest(3), largest(2), node.id(), round);
  }
  if (largest(2) == 0 && largest(4) == 0) {
    throw Error(ErrorCategory::BadData,
                "no node's stream has a sample, so there is nothing to learn from; check the sources");
  }
}

std::string gradient_note(double eta, double step, double bound) {
  return fmt::format(
      "eta {} is too large for these samples: eta mu_1 times the loss's curvature is {:.3g} on the first "
      "batches and the functions may diverge above {}; an eta of {:.3g} is safe",
      eta, step, bound, eta / step * bound / 2);
}

bool standardizes(const Options& options) { return options.preprocessing.standardize == Standardize::zscore; }
bool finds_gamma(const Options& options) {
  return uses_gamma(options.kernel.kind) && options.gamma.rule != GammaRule::number;
}

bool finds_landmarks(const Options& options) {
  return representation_of(options) == Representation::landmarks;
}

Task<TargetScale> agreed_target_scale(Node& node, const Vector& targets) {
  Samples row = targets.transpose();
  const Samples tame = co_await agreed_clipped(node, std::move(row));
  const Moments mine = feature_moments(tame);
  const Moments all = co_await agreed_moments(node, mine);
  const double deviation = constant(all)(0) ? 1 : std::sqrt(all.variance()(0));
  co_return TargetScale{.centre = all.mean(0), .scale = deviation};
}

// Only diffusion mixes counts; and where nothing depends on samples, nodes add up nothing before they begin.
bool counts_classes_at_start(const Options& options) {
  return options.consensus == Consensus::diffusion && options.class_weights == ClassWeights::balanced &&
         is_classification(options.loss) && view_depends_on_samples(options);
}

// This node's share of those of all: diffusion keeps their mean.
Task<Vector> first_class_counts(Node& node, const Vector& places, const Options& options) {
  const Vector mine = count_classes(places, options);
  if (!counts_classes_at_start(options)) co_return Vector::Zero(mine.size());
  Matrix row = mine.transpose();
  const Matrix counts = co_await secure_sum(node, std::move(row));
  co_return counts.row(0).transpose() / static_cast<double>(node.network_size());
}

Task<State> agreed_state(Node& node, const TargetedSamples& first, const Options& options,
                         std::vector<std::string>& notes) {
  AgreedScales scales = co_await agreed_scales(node, first, options, notes);
  State state = std::move(scales.state);
  const Index batch = std::min(options.batch, first.samples.cols());
  const Samples samples = state.preprocessing.applied(first.samples, 0, batch);
  Vector mine(3);
  mine << static_cast<double>(node.neighbors().size()), largest_diagonal(state.kernel, samples),
      leading_moment(state.kernel, samples);
  const Vector largest = co_await max_consensus(node, std::move(mine), hops_to_everybody(node));
  const StepFacts facts{.nodes = node.network_size(),
                        .largest_degree = static_cast<Index>(largest(0)),
                        .leading_moment = largest(2),
                        .largest_diagonal = largest(1),
                        .target_scale = state.target.scale};
  state.f = empty_expansion(first.samples.rows(), outputs_of(options));
  const Vector class_counts = co_await first_class_counts(node, first.targets, options);
  state.class_counts = class_counts;
  state.largest_diagonal = largest(1);
  state.eta = step_size(options, facts);
  state.epsilon = prune_error(options, state.eta, facts);
  state.penalty_cap = penalty_cap(state.eta, facts.largest_degree, largest(1));
  const double step = gradient_step(state.eta, largest(2), options.loss);
  const double bound = stable_up_to(options.consensus);
  if (steps_as_in_the_paper(options) && step > bound) notes.push_back(gradient_note(state.eta, step, bound));
  co_return state;
}

}  // namespace

Index hops_to_everybody(const Node& node) {
  return node.lost_peers() == LostPeers::fail ? Index{2} * node.tree().height : node.network_size();
}

bool view_depends_on_samples(const Options& options) {
  return finds_gamma(options) || standardizes(options) || finds_landmarks(options);
}

Task<AgreedView> agreed_view(Node& node, Samples samples, const Options& options,
                             std::vector<std::string>& notes) {
  AgreedView view{.kernel = options.kernel, .samples = std::move(samples)};
  if (view_depends_on_samples(options)) {
    Samples tame = co_await agreed_clipped(node, std::move(view.samples));
    view.samples = std::move(tame);
  }
  view.preprocessing = co_await agreed_preprocessing(node, options.preprocessing, view.samples);
  view.preprocessing.apply(view.samples);
  if (!uses_gamma(options.kernel.kind)) co_return view;
  view.kernel.gamma = co_await agreed_gamma(node, options.gamma, view.samples);
  if (options.gamma.rule == GammaRule::median) {
    notes.emplace_back(
        "gamma \"median\": 2 tr Cov of the first batches stands in for the median of their squared "
        "distances");
  }
  co_return view;
}

Task<AgreedScales> agreed_scales(Node& node, const TargetedSamples& first, const Options& options,
                                 std::vector<std::string>& notes) {
  AgreedView view = co_await agreed_view(node, first.samples, options, notes);
  AgreedScales agreed{.state = {}, .samples = std::move(view.samples)};
  agreed.state.preprocessing = std::move(view.preprocessing);
  agreed.state.kernel = view.kernel;
  if (!is_classification(options.loss)) {
    const TargetScale target = co_await agreed_target_scale(node, first.targets);
    agreed.state.target = target;
  }
  co_return agreed;
}

Index warm_up_batches(const Options& options, Index nodes) {
  const bool depends = uses_features(options) || finds_gamma(options) || standardizes(options) ||
                       !is_classification(options.loss);
  if (!depends) return 1;
  constexpr Index least = 8;
  constexpr Index samples = 512;
  constexpr Index per_landmark = 4;
  const Index wanted = std::max(samples, finds_landmarks(options) ? per_landmark * options.n_landmarks : 0);
  const Index each = nodes * options.batch;
  return std::max(least, (wanted + each - 1) / each);
}

std::uint64_t rounds_counted_at_start(const Options& options, Index nodes) {
  return counts_classes_at_start(options) ? static_cast<std::uint64_t>(warm_up_batches(options, nodes)) : 0;
}

Task<void> require_common_start(Node& node, const std::optional<State>& earlier, const Samples& first,
                                const Options& options) {
  if (earlier) {
    require_fit(*earlier, first.rows(), options);
    require_same_end(*earlier, node.id(), first.cols());
  }
  const std::uint64_t round = earlier ? earlier->round : 0;
  co_await require_same_start(node, round, first, options);
}

Task<State> first_state(Node& node, std::optional<State> earlier, const TargetedSamples& first,
                        const Options& options, std::vector<std::string>& notes) {
  co_await require_common_start(node, earlier, first.samples, options);
  if (earlier) co_return std::move(*earlier);
  State state = co_await agreed_state(node, first, options, notes);
  co_return state;
}

}  // namespace choir::online_kernel
