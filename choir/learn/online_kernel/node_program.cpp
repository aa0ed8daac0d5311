#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/base/stopwatch.h"
#include "choir/learn/online_kernel/batches.h"
#include "choir/learn/online_kernel/komp.h"
#include "choir/learn/online_kernel/online_kernel.h"
#include "choir/learn/online_kernel/pace.h"
#include "choir/learn/online_kernel/rounds.h"
#include "choir/learn/online_kernel/start.h"

namespace choir::online_kernel {
namespace {

void require_finite(const State& state, NodeId node) {
  if (state.f.weights.allFinite()) return;
  fail(ErrorCategory::Numerical,
       "the weights of node {} are no longer finite in round {}: the steps diverge with eta {}; choose a "
       "smaller eta",
       node, state.round + 1, state.eta);
}

std::string cap_note(const State& state) {
  return fmt::format(
      "the penalty c stays at {:.3g} = 1 / (2 eta d_max kappa_max) from round {} on: doubling it further "
      "would let the functions diverge",
      state.penalty_cap, state.capped_at);
}

// What is said at the end.
void note_round(const Round& report, State& state) {
  if (report.batch > 0) {
    state.loss = report.loss;
    state.disagreement = report.disagreement;
  }
  state.largest_order = std::max(state.largest_order, state.f.size());
  if (state.capped_at == 0 && state.penalty == state.penalty_cap) state.capped_at = state.round;
}

// The function is compressed; f_{i,t+1} is there.
void close(Setting& setting, Turn& round, State& state) {
  state.ended = round.batch.last;
  setting.stop.advance(static_cast<Index>(state.round), state.ended, round.heard);
  state.stop_counter = setting.stop.words().counter;
  state.stop_at = setting.stop.words().stop_at;
  state.samples += static_cast<std::uint64_t>(round.batch.samples.cols());
  ++state.round;
  round.report.node = setting.node.id();
  round.report.batch = round.batch.samples.cols();
  report_state(state, setting.options, round.report);
  note_round(round.report, state);
}

bool over(const Setting& setting, const State& state) {
  if (setting.options.consensus == Consensus::none) return state.ended;
  return setting.stop.reached(static_cast<Index>(state.round));
}

}  // namespace

Task<NodeResult> node_program(Node& node, SampleStream& stream, Options options, const Hooks& hooks) {
  const Stopwatch clock;
  NodeResult result{.node = node.id(), .loss = options.loss, .classes = options.classes};
  std::optional<State> earlier = hooks.resume ? hooks.resume(node.id()) : std::nullopt;
  BatchReader reader(stream, options, node.id(), earlier ? earlier->samples : 0);
  State& state = result.state;
  {
    const Index ahead = earlier ? 1 : warm_up_batches(options, node.network_size());
    const TargetedSamples first = reader.look_ahead(ahead);
    state = co_await first_state(node, std::move(earlier), first, options, result.notes);
  }
  MetropolisMix mix = co_await learn_metropolis_mix(node);
  const StopWords words{.counter = state.stop_counter, .stop_at = state.stop_at};
  Setting setting{.node = node,
                  .options = options,
                  .mix = std::move(mix),
                  .stop = StopAgreement(hops_to_everybody(node), words),
                  .common = CommonAtoms(state.f.atoms.rows(), std::ssize(node.neighbors())),
                  .counted_rounds = rounds_counted_at_start(options, node.network_size())};
  const Pace pace(node.watch(), node.id(), state.samples);

  while (!over(setting, state)) {
    StreamBatch batch = reader.next();  // x_{i,t}, y_{i,t}
    const Vector targets = batch.targets;
    Turn round = observe(setting, std::move(batch), state);
    tell_predictions(hooks, node.id(), state, round.scores, targets);
    switch (options.consensus) {
      case Consensus::diffusion:
        co_await diffuse(setting, state, round);
        break;
      case Consensus::symmetric:
      case Consensus::penalty:
        co_await penalize(setting, state, round);
        break;
      case Consensus::none:
        co_await learn_alone(setting, state, round);
        break;
    }
    require_finite(state, node.id());
    PruneRule rule = prune_rule(round, state, options);
    rule.epsilon = std::sqrt(std::max(0.0, rule.epsilon * rule.epsilon - round.screened * round.screened));
    round.report.compression += std::hypot(round.screened, compress(state.f, rule));  // eq. 11, Algorithm 2
    require_finite(state, node.id());
    close(setting, round, state);
    if (node.id() == 0) pace.tell(round.report);
    if (hooks.after_round) hooks.after_round(round.report, state);
  }
  if (options.consensus != Consensus::none) compress(state.f, final_rule(state, options));
  if (state.capped_at > 0) result.notes.push_back(cap_note(state));
  result.seconds = clock.seconds();
  co_return result;
}

}  // namespace choir::online_kernel
