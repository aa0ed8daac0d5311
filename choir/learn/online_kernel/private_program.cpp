#include "choir/learn/online_kernel/private_program.h"

#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "choir/base/stopwatch.h"
#include "choir/learn/features/agreed_seed.h"
#include "choir/learn/online_kernel/batches.h"
#include "choir/learn/online_kernel/class_moments.h"
#include "choir/learn/online_kernel/feature_start.h"
#include "choir/learn/online_kernel/openings.h"
#include "choir/learn/online_kernel/pace.h"
#include "choir/learn/online_kernel/private_options.h"
#include "choir/learn/online_kernel/start.h"
#include "choir/learn/online_kernel/total.h"
#include "choir/learn/privacy/noisy_moments.h"
#include "choir/learn/privacy/noisy_sum.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir::online_kernel {

// A node at work. In a coroutine's frame, so not in the unnamed namespace: g++ objects.
struct PrivateWork {
  Node& node;
  const Options& options;
  const Hooks& hooks;
  FeatureMap map;
  FeatureSums own;            // what nobody may see; in no state
  std::uint64_t learned = 0;  // rounds with samples
};

namespace {

// Nodes ask each other now and then whether a stream goes on. How many samples each has is public.
bool asks_after(std::uint64_t round) {
  constexpr std::uint64_t rounds_between_questions = 64;
  return std::has_single_bit(round) || round % rounds_between_questions == 0;
}

Task<State> first_private_state(Node& node, Index features, const Options& options) {
  State state;
  state.kernel = options.kernel;
  state.kernel.gamma = options.gamma.value;
  state.preprocessing = options.preprocessing;
  state.f = empty_expansion(features, outputs_of(options));
  FeatureState set;
  const std::uint64_t seed = co_await agreed_seed(node);
  set.random = RandomFeaturesOptions{.count = options.n_features, .seed = seed};
  set.closed = FeatureSums::none(options.n_features, outputs_of(options));
  set.pending = set.closed;
  set.weights = Matrix::Zero(options.n_features + 1, outputs_of(options));
  set.half_life = options.half_life.value_or(0);
  set.verdict = Examination::none(outputs_of(options));
  state.features = std::move(set);
  co_return state;
}

// What forgetting leaves after so many rounds. The age of a sample counts all nodes, whoever's stream has
// ended: it depends on nothing but public numbers.
double kept_after(std::uint64_t rounds, const PrivateWork& work) {
  return share_kept(work.options.half_life.value_or(0), work.node.network_size(), work.options.batch, rounds);
}

// A sample so large that its features are no numbers counts as none: an error would tell of it.
Matrix bounded(Matrix psi) {
  for (auto column : psi.colwise()) {
    if (!column.allFinite()) column.setZero();
  }
  return within_unit_length(std::move(psi));
}

void learn(const StreamBatch& batch, const State& state, PrivateWork& work) {
  if (batch.samples.cols() == 0) return;
  const Samples seen = state.preprocessing.applied(batch.samples, 0, batch.samples.cols());
  work.own.forget(kept_after(1, work));
  work.own.learn(bounded(features_of(work.map, *state.features, seen)),
                 coded_targets(batch.targets, work.own.outputs()), Vector::Ones(batch.samples.cols()));
  ++work.learned;
}

Round close(const StreamBatch& batch, const PrivateWork& work, State& state) {
  state.ended = batch.last;
  state.samples += static_cast<std::uint64_t>(batch.samples.cols());
  ++state.round;
  state.largest_order = state.order();
  Round report;
  report.node = work.node.id();
  report.batch = batch.samples.cols();
  report_state(state, work.options, report);
  return report;
}

// Until all streams have ended; then what each node has weighs as after the last round of any.
Task<void> learn_streams(PrivateWork& work, BatchReader& reader, State& state) {
  const Pace pace(work.node.watch(), work.node.id(), 0);
  std::uint64_t last = 0;
  for (bool goes_on = true; goes_on;) {
    const StreamBatch batch = reader.next();
    learn(batch, state, work);
    const Round report = close(batch, work, state);
    if (asks_after(state.round)) {
      Matrix mine(1, 2);
      mine << (state.ended ? 0 : 1), static_cast<double>(work.learned);
      const Matrix largest = co_await tree_max(work.node, work.node.tree(), std::move(mine), Kind::control);
      goes_on = largest(0, 0) > 0;
      last = static_cast<std::uint64_t>(largest(0, 1));
    } else {
      co_await work.node.sleep(Duration::zero());  // the engine may turn to others, or end the run
    }
    if (work.node.id() == 0) pace.tell(report);
    if (work.hooks.after_round) work.hooks.after_round(report, state);
  }
  work.own.forget(kept_after(last - work.learned, work));
}

Message to_message(const NoisyAnswer& answer) {
  Message message(Kind::totals);
  message.integer(answer.seen).number(answer.ridge).array(answer.weights);
  return message;
}

// At the root: all that follows from here on is made of the noisy total and public numbers.
Message answer_in(const MatrixView<double>& total, double weight, const PrivacyPlan& plan,
                  const PrivateWork& work) {
  const double deviation = plan.releases().front().sigma() *
                           std::sqrt(plan.share_of_variance() * static_cast<double>(plan.nodes()));
  const FeatureSums sums = total_of(
      total,
      {.features = work.own.size(), .outputs = work.own.outputs(), .weight = weight, .sigma = deviation});
  const bool balances = work.options.class_weights == ClassWeights::balanced;
  return to_message(answer_from(sums, deviation, balances ? Weighing::balanced : Weighing::as_they_came));
}

Task<void> open_moments(PrivateWork& work, SecureSums& sums, State& state, std::vector<std::string>& notes) {
  Node& node = work.node;
  FeatureState& features = *state.features;
  PrivacyPlan plan(work.options.privacy, node.network_size());
  const Release release = release_of_moments(plan);
  Matrix mine = Matrix::Constant(1, 1, work.own.weight);
  const Matrix weight = co_await tree_sum(node, node.tree(), std::move(mine),
                                          Kind::control);  // public, as numbers of samples are
  Matrix moments = released(work.own);
  const std::optional<Matrix> total =
      co_await noisy_sum_at_root(node, sums, std::move(moments), release, plan);
  Message found(Kind::totals);
  if (total) found = answer_in(*total, weight(0, 0), plan, work);
  const Message agreed = co_await broadcast(node, node.tree(), found);
  features.weights = agreed.array(0).matrix();
  features.ridge = agreed.number(0);
  features.total = weight(0, 0);
  features.used = features.size();
  features.totals = 1;
  features.finished = true;
  if (agreed.integer(0) > 0) co_return;
  notes.push_back(
      "the noise is larger than all that the moments show, so the answer is little better than chance; ask "
      "for a "
      "larger epsilon, use fewer --n-features, or learn from more samples");
}

}  // namespace

Task<NodeResult> private_program(Node& node, SampleStream& stream, Options options, const Hooks& hooks,
                                 std::shared_ptr<FeatureStore> store) {
  const Stopwatch clock;
  NodeResult result{.node = node.id(), .loss = options.loss, .classes = options.classes};
  BatchReader reader(stream, options, node.id(), 0);
  const TargetedSamples first = reader.look_ahead(1);
  const std::optional<State> none;
  co_await require_common_start(node, none, first.samples, options);
  SecureSums sums = co_await open_secure_sums(node);
  result.state = co_await first_private_state(node, stream.features(), options);
  PrivateWork work{.node = node,
                   .options = options,
                   .hooks = hooks,
                   .map = feature_map_of(result.state, store),
                   .own = FeatureSums::none(options.n_features, outputs_of(options))};
  co_await learn_streams(work, reader, result.state);
  co_await open_moments(work, sums, result.state, result.notes);
  result.privacy = privacy_report(options, node.network_size());
  result.seconds = clock.seconds();
  co_return result;
}

}  // namespace choir::online_kernel
