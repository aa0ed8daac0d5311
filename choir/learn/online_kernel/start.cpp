#include "choir/learn/online_kernel/start.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/learn/agreement/agreement.h"
#include "choir/learn/online_kernel/step.h"
#include "choir/runtime/blocks/extremes.h"

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

Task<State> agreed_state(Node& node, const Samples& first, const Options& options,
                         std::vector<std::string>& notes) {
  State state;
  co_await agree_on_samples(node, first, options, state, notes);
  const Samples samples = state.preprocessing.applied(first, 0, first.cols());
  Vector mine(3);
  mine << static_cast<double>(node.neighbors().size()), largest_diagonal(state.kernel, samples),
      leading_moment(state.kernel, samples);
  const Vector largest = co_await max_consensus(node, std::move(mine), hops_to_everybody(node));
  state.f = empty_expansion(first.rows(), outputs_of(options));
  state.eta = step_size(options, largest(2));
  state.epsilon = prune_error(options, state.eta);
  state.penalty_cap = penalty_cap(state.eta, static_cast<Index>(largest(0)), largest(1));
  const double step = gradient_step(state.eta, largest(2), options.loss);
  const double bound = stable_up_to(options.consensus);
  if (step > bound) notes.push_back(gradient_note(state.eta, step, bound));
  co_return state;
}

}  // namespace

Task<void> agree_on_samples(Node& node, Samples first, const Options& options, State& state,
                            std::vector<std::string>& notes) {
  state.preprocessing = co_await agreed_preprocessing(node, options.preprocessing, first);
  state.kernel = options.kernel;
  if (!uses_gamma(options.kernel.kind)) co_return;
  state.preprocessing.apply(first);
  state.kernel.gamma = co_await agreed_gamma(node, options.gamma, first);
  if (options.gamma.rule == GammaRule::median) {
    notes.emplace_back(
        "gamma \"median\": 2 tr Cov of the first batches stands in for the median of their squared "
        "distances");
  }
}

Index hops_to_everybody(const Node& node) {
  return node.lost_peers() == LostPeers::fail ? 2 * node.tree().height : node.network_size();
}

Task<void> require_common_start(Node& node, const std::optional<State>& earlier, const Samples& first,
                                const Options& options) {
  if (earlier) {
    require_fit(*earlier, first.rows(), options);
    require_same_end(*earlier, node.id(), first.cols());
  }
  co_await require_same_start(node, earlier ? earlier->round : 0, first, options);
}

Task<State> first_state(Node& node, std::optional<State> earlier, const Samples& first,
                        const Options& options, std::vector<std::string>& notes) {
  co_await require_common_start(node, earlier, first, options);
  if (earlier) co_return std::move(*earlier);
  State state = co_await agreed_state(node, first, options, notes);
  co_return state;
}

}  // namespace choir::online_kernel
