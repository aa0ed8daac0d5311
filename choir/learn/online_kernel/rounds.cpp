#include "choir/learn/online_kernel/rounds.h"

#include <algorithm>
#include <utility>

#include "choir/learn/online_kernel/class_balance.h"
#include "choir/learn/online_kernel/losses.h"
#include "choir/learn/online_kernel/messages.h"
#include "choir/learn/online_kernel/sequence.h"
#include "choir/learn/online_kernel/step.h"
#include "choir/linalg/columns.h"

namespace choir::online_kernel {
namespace {

double mean_square(const Matrix& differences) {
  return differences.rows() == 0 ? 0 : differences.squaredNorm() / static_cast<double>(differences.rows());
}

// -(eta / B) of a gradient of the whole batch, B x K: what its samples are added with.
Matrix descent(const Turn& round, const Matrix& gradient) {
  return gradient * (-round.eta / static_cast<double>(std::max<Index>(gradient.rows(), 1)));
}

// l'(f_i(x_b), y_b), B x K.
Matrix gradient_of(const Turn& round, const Options& options) {
  const Matrix scores = round.scores.rowwise() + round.offsets.transpose();
  return loss_gradient(options.loss, scores, round.batch.targets, options.huber_width).gradient;
}

// What the batch is added with, by diffusion and alone: as the paper takes it, or sample by sample, from what
// the mixed function says of it. A long step from the function before mixing would not be stable: see step.h.
Matrix descent(const Turn& round, const Matrix& mixed_scores, const State& state, const Options& options) {
  if (steps_as_in_the_paper(options)) return descent(round, gradient_of(round, options));
  const double step = round.eta / static_cast<double>(options.batch);
  return descent_in_sequence(options, mixed_scores.rowwise() + round.offsets.transpose(),
                             own_gram(state.kernel, round.batch.samples), round.batch.targets, step);
}

double shrinkage(const Turn& round, const Options& options) {
  const double pull = round.eta * options.alpha;
  return steps_as_in_the_paper(options) ? 1 - pull : 1 / (1 + pull);
}

Outbox functions_for_neighbors(const Setting& setting, const State& state) {
  std::vector<Message> messages;
  for (Index position = 0; position < std::ssize(setting.node.neighbors()); ++position) {
    const PackedAtoms atoms = setting.common.pack(state.f.atoms, position);
    messages.push_back(function_message(atoms, state.f.weights, state.class_counts, setting.stop.words()));
  }
  return messages;
}

// By position; none of those who did not send.
std::vector<Samples> atoms_of_neighbors(const Setting& setting, const Inbox& inbox, Index features) {
  std::vector<Samples> atoms(setting.node.neighbors().size(), Samples(features, 0));
  for (const Received& other : inbox) {
    atoms[static_cast<std::size_t>(other.position)] = atoms_in(other, setting.common, features);
  }
  return atoms;
}

// What neighbours sent of their batches, by their positions; empty where nothing came.
struct NeighborBatches {
  std::vector<Samples> samples;  // M x B_j
  std::vector<Matrix> own;       // B_j x K: f_i(x_j)
};

NeighborBatches evaluate_batches(const Inbox& inbox, const Node& node, const State& state) {
  NeighborBatches batches;
  batches.samples.assign(node.neighbors().size(), Samples(state.f.atoms.rows(), 0));
  for (const Received& other : inbox) {
    batches.samples[static_cast<std::size_t>(other.position)] = batch_in(other, state.f.atoms.rows());
  }
  for (const Samples& samples : batches.samples) {
    batches.own.push_back(evaluate(state.kernel, state.f, samples));
  }
  return batches;
}

// The part of the penalty's gradient that eq. 7 leaves out: c (f_i(x_j) - f_j(x_j)) k(x_j, .).
void descend_on_theirs(const Inbox& inbox, const NeighborBatches& theirs, const State& state,
                       const Turn& round, std::vector<Samples>& samples, std::vector<Matrix>& steps) {
  for (const Received& other : inbox) {
    const auto position = static_cast<std::size_t>(other.position);
    const Matrix difference = theirs.own[position] - scores_in(other, state.f.weights.cols());
    samples.push_back(theirs.samples[position]);
    steps.push_back(descent(round, state.penalty * difference).transpose());
  }
}

// Whether the function holds something new: a batch of this node, or what a neighbour has learned from one in
// the round before. Neighbours whose streams have ended for longer bring mixtures of what was there.
bool learned(const Turn& round) {
  const auto still_learning = [](const StopWords& words) { return words.counter <= 1; };
  return round.batch.samples.cols() > 0 || std::ranges::any_of(round.heard, still_learning);
}

double epsilon_with(double eta, const State& state, const Options& options) {
  return state.epsilon * prune_decay(options, eta, state.eta, state.largest_diagonal);
}

}  // namespace

// Rounds in which nothing was learned must not wear the function away: they drop only atoms whose weights
// have faded, and what is too much for the memory.
PruneRule prune_rule(const Turn& round, const State& state, const Options& options) {
  constexpr double faded = 1e-3;
  const double epsilon = epsilon_with(round.eta, state, options);
  const bool literal = steps_as_in_the_paper(options);  // the paper's compression, too
  return {.epsilon = learned(round) ? epsilon : faded * epsilon,
          .most = options.max_atoms,
          .spare = literal ? 0 : options.max_atoms / 16,
          .screens = !literal};
}

PruneRule final_rule(const State& state, const Options& options) {
  const double eta = state.eta * step_decay(options, state.round);
  return {.epsilon = epsilon_with(eta, state, options), .most = options.max_atoms};
}

Turn observe(const Setting& setting, StreamBatch batch, State& state) {
  const Options& options = setting.options;
  Turn round;
  state.preprocessing.apply(batch.samples);
  if (!is_classification(options.loss))
    batch.targets = (batch.targets.array() - state.target.centre) / state.target.scale;
  round.eta = state.eta * step_decay(options, state.round);
  round.scores = evaluate(state.kernel, state.f, batch.samples);
  const Matrix scores = round.scores.rowwise() + class_offsets(state.class_counts, options).transpose();
  round.report.loss = loss_gradient(options.loss, scores, batch.targets, options.huber_width).mean;
  if (is_classification(options.loss)) {
    round.report.mistakes = share_of_mistakes(round.scores, batch.targets);
  }
  if (state.f.size() > 0)
    state.progressive.judge({.scores = round.scores,
                             .targets = batch.targets,
                             .loss = round.report.loss,
                             .target_scale = state.target.scale},
                            is_classification(options.loss));
  const bool counted = state.round < setting.counted_rounds;
  round.class_counts = count_classes(counted ? Vector() : batch.targets, options);
  round.offsets = class_offsets(state.class_counts + round.class_counts, options);
  round.batch = std::move(batch);
  return round;
}

Task<void> diffuse(Setting& setting, State& state, Turn& round) {
  Node& node = setting.node;
  const Outbox outbox = functions_for_neighbors(setting, state);
  const Inbox inbox = co_await node.exchange(outbox, node.deadline());
  round.heard = words_of(inbox);
  std::vector<Samples> atoms = atoms_of_neighbors(setting, inbox, state.f.atoms.rows());
  Samples sent = state.f.atoms;
  double own_weight = 1;
  for (const Received& other : inbox) own_weight -= setting.mix.weight(other.position);
  const double shrink = shrinkage(round, setting.options);
  state.f.weights *= shrink * own_weight;
  state.class_counts *= own_weight;
  Matrix mixed_scores = shrink * own_weight * round.scores;
  const Index most = setting.options.max_atoms;
  for (const Received& other : inbox) {
    const Samples& their_atoms = atoms[static_cast<std::size_t>(other.position)];
    const ExpansionView theirs{.atoms = {their_atoms.data(), their_atoms.rows(), their_atoms.cols()},
                               .weights = weights_in(other, their_atoms.cols(), state.f.weights.cols())};
    const double weight = setting.mix.weight(other.position);
    const Matrix their_scores = evaluate(state.kernel, theirs, round.batch.samples);
    const Matrix difference = round.scores - their_scores;
    mixed_scores += shrink * weight * their_scores;
    round.report.disagreement += mean_square(difference) / static_cast<double>(inbox.size());
    const Index classes = state.class_counts.size();
    state.class_counts += weight * class_counts_in(other, classes);
    mix_in(state.kernel, state.f, theirs, shrink * weight);
    if (state.f.size() > most_while_mixing * most) {
      round.report.compression += compress(state.f, {.most = kept_while_mixing * most});
    }
  }
  setting.common.close_round(std::move(sent), std::move(atoms));
  state.class_counts += round.class_counts;
  round.screened =
      add(state.kernel, state.f, round.batch.samples, descent(round, mixed_scores, state, setting.options),
          prune_rule(round, state, setting.options));
}

Task<void> penalize(Setting& setting, State& state, Turn& round) {
  Node& node = setting.node;
  const bool symmetric = setting.options.consensus == Consensus::symmetric;
  const Samples& batch = round.batch.samples;
  state.penalty = penalty_after(state.samples, setting.options, state.penalty_cap);
  // Send observations x_i, receive x_j.
  Message mine = batch_message(batch, setting.stop.words());
  if (symmetric) mine.array(Array(round.scores));
  const Inbox batches = co_await node.exchange(mine, node.deadline());
  round.heard = words_of(batches);
  // Send f_i(x_j), receive f_j(x_i).
  const NeighborBatches theirs = evaluate_batches(batches, node, state);
  std::vector<Message> answers;
  for (const Matrix& values : theirs.own) answers.push_back(values_message(values));
  const Outbox outbox(std::move(answers));
  const Inbox values = co_await node.exchange(outbox, node.deadline());

  Matrix gradient = gradient_of(round, setting.options);
  for (const Received& other : values) {  // eq. 7
    const Matrix difference = round.scores - values_in(other, batch.cols(), round.scores.cols());
    gradient += state.penalty * difference;
    round.report.disagreement += mean_square(difference) / static_cast<double>(values.size());
  }
  state.class_counts += round.class_counts;
  state.f.weights *= shrinkage(round, setting.options);  // eq. 8 to 10
  std::vector<Samples> samples = {batch};
  std::vector<Matrix> steps = {descent(round, gradient).transpose()};  // K x B each
  if (symmetric) descend_on_theirs(batches, theirs, state, round, samples, steps);
  round.screened = add(state.kernel, state.f, side_by_side(samples), side_by_side(steps).transpose(),
                       prune_rule(round, state, setting.options));
}

Task<void> learn_alone(Setting& setting, State& state, Turn& round) {
  co_await setting.node.sleep(Duration::zero());  // the engine may turn to others, or end the run
  state.class_counts += round.class_counts;
  state.f.weights *= shrinkage(round, setting.options);
  round.screened =
      add(state.kernel, state.f, round.batch.samples, descent(round, round.scores, state, setting.options),
          prune_rule(round, state, setting.options));
}

}  // namespace choir::online_kernel
