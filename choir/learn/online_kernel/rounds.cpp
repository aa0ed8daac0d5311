#include "choir/learn/online_kernel/rounds.h"

#include <algorithm>
#include <utility>

#include "choir/learn/online_kernel/losses.h"
#include "choir/learn/online_kernel/messages.h"
#include "choir/learn/online_kernel/step.h"
#include "choir/linalg/columns.h"

namespace choir::online_kernel {
namespace {

double mean_square(const Matrix& differences) {
  return differences.rows() == 0 ? 0 : differences.squaredNorm() / static_cast<double>(differences.rows());
}

// -(eta / B) of the gradient, B x K: what the samples of a batch are added with.
Matrix descent(const State& state, const Matrix& gradient) {
  return gradient * (-state.eta / static_cast<double>(std::max<Index>(gradient.rows(), 1)));
}

double shrinkage(const State& state, const Options& options) { return 1 - state.eta * options.alpha; }

Outbox functions_for_neighbors(const Setting& setting, const State& state) {
  std::vector<Message> messages;
  for (Index position = 0; position < std::ssize(setting.node.neighbors()); ++position) {
    const PackedAtoms atoms = setting.common.pack(state.f.atoms, position);
    messages.push_back(function_message(atoms, state.f.weights, setting.stop.words()));
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
                       std::vector<Samples>& samples, std::vector<Matrix>& steps) {
  for (const Received& other : inbox) {
    const auto position = static_cast<std::size_t>(other.position);
    const Matrix difference = theirs.own[position] - scores_in(other, state.f.weights.cols());
    samples.push_back(theirs.samples[position]);
    steps.push_back(descent(state, state.penalty * difference).transpose());
  }
}

}  // namespace

Turn observe(StreamBatch batch, const State& state, const Options& options) {
  Turn round;
  state.preprocessing.apply(batch.samples);
  round.scores = evaluate(state.kernel, state.f, batch.samples);
  LossGradient loss = loss_gradient(options.loss, round.scores, batch.targets, options.huber_width);
  round.gradient = std::move(loss.gradient);
  round.report.loss = loss.mean;
  if (is_classification(options.loss)) {
    round.report.mistakes = share_of_mistakes(round.scores, batch.targets);
  }
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
  const double shrink = shrinkage(state, setting.options);
  state.f.weights *= shrink * own_weight;
  const Index most = setting.options.max_atoms;
  for (const Received& other : inbox) {
    const Samples& their_atoms = atoms[static_cast<std::size_t>(other.position)];
    const ExpansionView theirs{.atoms = {their_atoms.data(), their_atoms.rows(), their_atoms.cols()},
                               .weights = weights_in(other, their_atoms.cols(), state.f.weights.cols())};
    const Matrix difference = round.scores - evaluate(state.kernel, theirs, round.batch.samples);
    round.report.disagreement += mean_square(difference) / static_cast<double>(inbox.size());
    mix_in(state.kernel, state.f, theirs, shrink * setting.mix.weight(other.position));
    if (state.f.size() > most_while_mixing * most) {
      round.report.compression += compress(state.f, {.most = kept_while_mixing * most});
    }
  }
  setting.common.close_round(std::move(sent), std::move(atoms));
  round.cholesky = add(state.kernel, state.f, round.batch.samples, descent(state, round.gradient));
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

  for (const Received& other : values) {  // eq. 7
    const Matrix difference = round.scores - values_in(other, batch.cols(), round.scores.cols());
    round.gradient += state.penalty * difference;
    round.report.disagreement += mean_square(difference) / static_cast<double>(values.size());
  }
  state.f.weights *= shrinkage(state, setting.options);  // eq. 8 to 10
  std::vector<Samples> samples = {batch};
  std::vector<Matrix> steps = {descent(state, round.gradient).transpose()};  // K x B each
  if (symmetric) descend_on_theirs(batches, theirs, state, samples, steps);
  round.cholesky = add(state.kernel, state.f, side_by_side(samples), side_by_side(steps).transpose());
}

Task<void> learn_alone(Setting& setting, State& state, Turn& round) {
  co_await setting.node.sleep(Duration::zero());  // the engine may turn to others, or end the run
  state.f.weights *= shrinkage(state, setting.options);
  round.cholesky = add(state.kernel, state.f, round.batch.samples, descent(state, round.gradient));
}

}  // namespace choir::online_kernel
