#include "choir/learn/online_kernel/feature_program.h"

#include <algorithm>
#include <string>
#include <utility>

#include "choir/base/stopwatch.h"
#include "choir/learn/online_kernel/batches.h"
#include "choir/learn/online_kernel/feature_start.h"
#include "choir/learn/online_kernel/losses.h"
#include "choir/learn/online_kernel/meeting.h"
#include "choir/learn/online_kernel/openings.h"
#include "choir/learn/online_kernel/pace.h"
#include "choir/learn/online_kernel/quick.h"
#include "choir/learn/online_kernel/ridge_family.h"
#include "choir/learn/online_kernel/start.h"

namespace choir::online_kernel {

// A batch on its way into the moments. In a coroutine's frame, so not in the unnamed namespace: g++ objects.
struct Lesson {
  StreamBatch batch;  // as it came
  Vector targets;     // places, or standardised values
  Vector weights;
  Samples seen;      // after preprocessing
  Matrix psi;        // m x B
  Matrix rival_psi;  // of the features beside these, if there are any
};

namespace {

// Before the first total a node answers from its own moments, found anew whenever it has twice as many
// samples, and with this ridge.
constexpr std::uint64_t first_own_answer = 64;
constexpr double own_ridge = 1;

Vector weights_of_samples(const FeatureState& features, const Vector& targets, const Options& options) {
  Vector weights = Vector::Ones(targets.size());
  if (features.class_counts.size() == 0 || options.class_weights == ClassWeights::none) return weights;
  // Where other nodes have seen as much since the last meeting as this one.
  const Vector counts = features.class_counts + static_cast<double>(features.streams) * features.uncounted;
  const double all = counts.sum();
  for (Index n = 0; n < targets.size(); ++n)
    weights(n) = class_weight_of(counts(static_cast<Index>(targets(n))), all, counts.size());
  return weights;
}

Lesson prepare(StreamBatch batch, const Gathering& gathering, const State& state) {
  const FeatureState& features = *state.features;
  Lesson lesson;
  lesson.seen = state.preprocessing.applied(batch.samples, 0, batch.samples.cols());
  lesson.targets = batch.targets;
  if (features.class_counts.size() == 0)
    lesson.targets = (batch.targets.array() - state.target.centre) / state.target.scale;
  lesson.weights = weights_of_samples(features, lesson.targets, gathering.options);
  lesson.psi = features_of(gathering.map, features, lesson.seen);
  if (features.rival)
    lesson.rival_psi =
        features_of(*gathering.rival_map, *features.rival,
                    features.rival->preprocessing.applied(batch.samples, 0, batch.samples.cols()));
  lesson.batch = std::move(batch);
  return lesson;
}

bool has_answer(const FeatureState& features) { return features.totals > 0 || features.solved_at > 0; }

// What the answer of before says of the batch, which the state's progressive figures keep.
Round test(const Lesson& lesson, const Gathering& gathering, const Hooks& hooks, State& state) {
  const Options& options = gathering.options;
  const FeatureState& features = *state.features;
  const bool classes = is_classification(options.loss);
  Round report;
  if (lesson.psi.cols() == 0) return report;
  Matrix scores = scores_of(answer_of(features), lesson.psi);
  if (classes) {
    report.mistakes = share_of_mistakes(scores, lesson.targets);
    scores *= answering(features).score_scale;
  }
  tell_predictions(hooks, gathering.node.id(), state, scores, lesson.batch.targets);
  report.loss = loss_gradient(options.loss, scores, lesson.targets).mean;
  if (has_answer(features))
    state.progressive.judge({.scores = scores,
                             .targets = lesson.targets,
                             .loss = report.loss,
                             .target_scale = state.target.scale},
                            classes);
  return report;
}

template <class Block>
Matrix with_last_columns(const Matrix& old, const Block& fresh, Index most) {
  Matrix both(old.rows(), old.cols() + fresh.cols());
  both << old, fresh;
  return both.rightCols(std::min(most, both.cols()));
}

Vector with_last_entries(const Vector& old, const Vector& fresh, Index most) {
  return with_last_columns(old.transpose(), fresh.transpose(), most).transpose();
}

void remember(const Lesson& lesson, Index most, RecentSamples& recent) {
  recent.samples = with_last_columns(recent.samples, lesson.batch.samples, most);
  recent.targets = with_last_entries(recent.targets, lesson.targets, most);
  recent.weights = with_last_entries(recent.weights, lesson.weights, most);
}

void learn(FeatureSet& set, const Matrix& psi, const Lesson& lesson) {
  set.pending.learn(psi, coded_targets(lesson.targets, set.closed.outputs()), lesson.weights);
  set.pending_samples += psi.cols();
  set.own_samples += psi.cols();
}

void train(const Lesson& lesson, const Gathering& gathering, State& state) {
  const Options& options = gathering.options;
  FeatureState& features = *state.features;
  const double kept = share_kept(options.half_life.value_or(0), features.streams, options.batch, 1);
  features.pending.forget(kept);
  if (features.rival) features.rival->pending.forget(kept);
  features.recent.weights *= kept;
  if (lesson.psi.cols() == 0) return;
  ask_both(lesson.psi, coded_targets(lesson.targets, features.closed.outputs()), lesson.weights, features);
  learn(features, lesson.psi, lesson);
  if (quick_learns(features)) learn(*features.quick, lesson.psi(quick_places(features), Eigen::all), lesson);
  if (features.rival) learn(*features.rival, lesson.rival_psi, lesson);
  features.fit.add(features.fitness.scene, lesson.seen, lesson.psi);
  remember(lesson, samples_to_keep(options, gathering.node.network_size()), features.recent);
  if (state.round < features.warm_up) return;  // counted before
  if (features.uncounted.size() == 0) return;
  for (const double place : lesson.targets) features.uncounted(static_cast<Index>(place)) += 1;
}

void answer_alone(State& state) {
  FeatureState& features = *state.features;
  if (features.totals > 0 || state.samples < std::max(first_own_answer, 2 * features.solved_at)) return;
  FeatureSums own = features.closed;
  own += features.pending;
  features.weights = ridge_weights(own, own_ridge);
  features.solved_at = state.samples;
}

void close(const Lesson& lesson, NodeId node, const Options& options, State& state, Round& report) {
  state.ended = lesson.batch.last;
  state.samples += static_cast<std::uint64_t>(lesson.batch.samples.cols());
  ++state.round;
  state.largest_order = state.order();
  report.node = node;
  report.batch = lesson.batch.samples.cols();
  report_state(state, options, report);
  if (report.batch > 0) state.loss = report.loss;
}

}  // namespace

Task<NodeResult> feature_program(Node& node, SampleStream& stream, Options options, const Hooks& hooks,
                                 std::shared_ptr<FeatureStore> store) {
  const Stopwatch clock;
  NodeResult result{.node = node.id(), .loss = options.loss, .classes = options.classes};
  std::optional<State> earlier = hooks.resume ? hooks.resume(node.id()) : std::nullopt;
  BatchReader reader(stream, options, node.id(), earlier ? earlier->samples : 0);
  const TargetedSamples first =
      reader.look_ahead(earlier ? 1 : warm_up_batches(options, node.network_size()));
  co_await require_common_start(node, earlier, first.samples, options);
  SecureSums sums = co_await open_secure_sums(node);
  State& state = result.state;
  if (earlier) {
    state = std::move(*earlier);
  } else {
    state = co_await first_feature_state(node, sums, first, options, result.notes);
  }
  Gathering gathering{.node = node,
                      .options = options,
                      .map = feature_map_of(state, store),
                      .store = store,
                      .sums = std::move(sums)};
  if (const auto& rival = state.features->rival)
    gathering.rival_map = feature_map_of(rival->kernel, *rival, store);
  const Pace pace(node.watch(), node.id(), state.samples);

  while (!state.features->finished) {
    const Lesson lesson = prepare(reader.next(), gathering, state);
    Round report = test(lesson, gathering, hooks, state);
    train(lesson, gathering, state);
    close(lesson, node.id(), options, state, report);
    answer_alone(state);
    if (state.round == state.features->next) {
      co_await meet(gathering, state, result.notes);
    } else {
      co_await node.sleep(Duration::zero());  // the engine may turn to others, or end the run
    }
    if (node.id() == 0) pace.tell(report);
    if (hooks.after_round) hooks.after_round(report, state);
  }
  result.seconds = clock.seconds();
  co_return result;
}

KernelMachine feature_machine(const NodeResult& fit) {
  const FeatureState& features = *fit.state.features;
  const Matrix weights = answer_of(features);
  const Matrix slopes = weights.topRows(features.size());
  const Vector intercept = weights.row(features.size());
  const bool has_classes = !fit.classes.empty();
  const double scale = has_classes ? answering(features).score_scale : fit.state.target.scale;
  KernelMachine machine;
  machine.random_features = features.random;
  machine.points = features.random ? Samples(fit.state.f.atoms.rows(), 0) : features.landmarks;
  machine.weights = scale * (features.random ? slopes : Matrix(features.whitening * slopes));
  machine.intercept = (scale * intercept).array() + fit.state.target.centre;
  return machine;
}

}  // namespace choir::online_kernel
