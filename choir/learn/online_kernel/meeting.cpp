#include "choir/learn/online_kernel/meeting.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "choir/learn/online_kernel/openings.h"
#include "choir/learn/online_kernel/ridge_family.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir::online_kernel {

// What the nodes have seen since they last met. In a coroutine's frame, so not in the unnamed namespace: g++
// objects.
struct Headcount {
  double pending = 0;  // samples of the block at work
  Index ended = 0;     // streams
};

namespace {

// Also of the classes, on which the weights of the next samples depend.
Task<Headcount> count_together(Gathering& gathering, State& state) {
  FeatureState& features = *state.features;
  const Index classes = features.class_counts.size();
  Matrix mine(1, 2 + classes);
  mine(0, 0) = features.pending.samples;
  mine(0, 1) = state.ended ? 1 : 0;
  if (classes > 0) mine.rightCols(classes) = features.uncounted.transpose();
  const Matrix all = co_await secure_sum(gathering.node, gathering.sums, std::move(mine));
  features.class_counts += all.rightCols(classes).transpose();
  features.uncounted = Vector::Zero(classes);
  co_return Headcount{.pending = all(0, 0), .ended = static_cast<Index>(all(0, 1))};
}

// What all nodes know of the network, and their closed blocks, fade alike. Pending ones do so every round.
void forget_since_last_meeting(const Options& options, State& state) {
  FeatureState& features = *state.features;
  const double kept =
      share_kept(options.half_life, features.streams, options.batch, state.round - features.met);
  features.met = state.round;
  features.closed.forget(kept);
  features.class_counts *= kept;
  features.losses *= kept;
  features.total *= kept;
  features.unopened *= kept;
}

Message to_message(const RidgeFamily& family) {
  Message message(Kind::totals);
  message.number(family.weight).number(family.length);
  message.array(family.directions)
      .array(family.values)
      .array(family.products)
      .array(family.mean)
      .array(family.constant)
      .array(family.factors);
  return message;
}

RidgeFamily to_family(const Message& message) {
  RidgeFamily family;
  family.weight = message.number(0);
  family.length = message.number(1);
  family.directions = message.array(0).matrix();
  family.values = message.array(1).matrix();
  family.products = message.array(2).matrix();
  family.mean = message.array(3).matrix();
  family.constant = message.array(4).matrix();
  family.factors = message.array(5).matrix();
  return family;
}

RidgeFamily family_in(const FeatureSums& total, const Options& options) {
  const bool balances = is_classification(options.loss) && options.class_weights == ClassWeights::balanced;
  if (!balances) return ridge_family(total);
  const Vector factors = balancing_factors(total);
  RidgeFamily family = ridge_family(rebalanced(total, factors));
  family.factors = factors;
  return family;
}

// The closed blocks of all nodes, as regressions on the chosen features.
Task<RidgeFamily> open_total(Gathering& gathering, FeatureState& features, std::vector<Index> chosen) {
  Node& node = gathering.node;
  Matrix mine = features.closed.packed(chosen);
  const std::optional<Matrix> total = co_await secure_sum_at_root(node, gathering.sums, std::move(mine));
  Message found(Kind::totals);
  if (total) {
    const auto size = static_cast<Index>(chosen.size());
    const FeatureSums sums = FeatureSums::unpacked(*total, size, features.closed.outputs());
    found = to_message(family_in(sums, gathering.options));
  }
  const Message agreed = co_await broadcast(node, node.tree(), found);
  features.totals += 1;
  features.used = std::ssize(chosen);
  features.unopened = 0;
  co_return spread_over(to_family(agreed), chosen, features.size());
}

// Whether the samples that answers are asked about are in the total.
enum class Learned { no, yes };

// A row for each ridge, of this node's latest samples; without those that are in the total, or each as if it
// were not.
Matrix examine_all(const Gathering& gathering, const FeatureState& features, const RidgeFamily& family,
                   Learned learned) {
  const RecentSamples& recent = features.recent;
  const Index kept = recent.samples.cols();
  const Index count = learned == Learned::yes ? kept : std::min(kept, features.pending_samples);
  const Vector ridges = ridge_grid(family);
  const Index outputs = features.closed.outputs();
  Matrix rows = Examination::none(outputs).row().replicate(ridges.size(), 1);
  if (count == 0) return rows;
  const Matrix psi = features_of(gathering.map, features, recent.samples.rightCols(count));
  const Matrix phi = coordinates_of(family, psi);
  const Matrix targets = coded_targets(recent.targets.tail(count), outputs);
  Vector weights = recent.weights.tail(count);
  if (features.class_counts.size() > 0) weights.array() *= (targets * family.factors).array();
  const Questions questions{.targets = targets, .weights = std::move(weights)};
  for (Index i = 0; i < ridges.size(); ++i) {
    Matrix scores = scores_of(weights_of(family, ridges(i)), psi);
    if (learned == Learned::yes)
      scores = left_out(scores, questions.targets, leverages(family, ridges(i), phi, questions.weights));
    rows.row(i) = examine(scores, questions, family.constant).row();
  }
  return rows;
}

// The ridge with the least loss on samples before they were learned from, over all nodes and all totals.
Task<void> choose_answer(Gathering& gathering, FeatureState& features, const RidgeFamily& family,
                         Learned learned) {
  Matrix mine = examine_all(gathering, features, family, learned);
  const Matrix all = co_await secure_sum(gathering.node, gathering.sums, std::move(mine));
  for (Index i = 0; i < all.rows(); ++i) features.losses(i) += Examination::of(all.row(i)).loss;
  Index best = 0;
  features.losses.minCoeff(&best);
  features.ridge = ridge_grid(family)(best);
  features.weights = weights_of(family, features.ridge);
  features.verdict = Examination::of(all.row(best));
  features.score_scale = best_score_scale(features.verdict.log_losses);
}

void close_block(FeatureState& features, double samples) {
  features.closed += features.pending;
  features.pending = FeatureSums::none(features.size(), features.closed.outputs());
  features.pending_samples = 0;
  features.total += samples;
  features.unopened += samples;
}

Task<void> open_last(Gathering& gathering, FeatureState& features, std::vector<std::string>& notes) {
  const double samples = features.unopened;
  std::vector<Index> chosen = features_for(samples, features.size(), features.random.has_value());
  features.finished = true;
  if (std::ssize(chosen) < features.used) {  // of a run that went on after an end
    notes.push_back(fmt::format(
        "the last {:.0f} samples are kept but not in the answer: a total of {} features needs {} new samples "
        "behind each of them",
        samples, features.used, samples_per_feature));
    co_return;
  }
  if (std::ssize(chosen) < features.size()) {
    notes.push_back(
        fmt::format("{} of {} features are used: a total needs {} new samples behind each of its features, "
                    "and there were {:.0f}",
                    chosen.size(), features.size(), samples_per_feature, samples));
  }
  const RidgeFamily family = co_await open_total(gathering, features, std::move(chosen));
  co_await choose_answer(gathering, features, family, Learned::yes);
}

std::uint64_t next_meeting(const State& state, double missing, const Options& options) {
  const FeatureState& features = *state.features;
  const std::uint64_t complete = state.round + rounds_until(missing, features.streams, options.batch);
  // Counts of classes are wanted whenever there are twice as many.
  return features.class_counts.size() > 0 ? std::min(complete, 2 * state.round) : complete;
}

}  // namespace

Matrix features_of(const FeatureMap& map, const FeatureState& state, const Samples& samples) {
  if (samples.cols() == 0) return Matrix(state.size(), 0);
  return map.features(samples);
}

Matrix coded_targets(const Vector& targets, Index outputs) {
  if (outputs == 1) return targets;
  Matrix coded = Matrix::Zero(targets.size(), outputs);
  for (Index n = 0; n < targets.size(); ++n) coded(n, static_cast<Index>(targets(n))) = 1;
  return coded;
}

Task<void> meet(Gathering& gathering, State& state, std::vector<std::string>& notes) {
  FeatureState& features = *state.features;
  const Options& options = gathering.options;
  forget_since_last_meeting(options, state);
  const Headcount count = co_await count_together(gathering, state);
  features.streams = gathering.node.network_size() - count.ended;
  const double quota = block_quota(features.size(), features.total, options.half_life);
  if (features.streams == 0) {
    close_block(features, count.pending);
    co_await open_last(gathering, features, notes);
    co_return;
  }
  if (count.pending < quota) {
    features.next = next_meeting(state, quota - count.pending, options);
    co_return;
  }
  // The total goes as far as the block before this one, so that the last total, whenever it comes, has a
  // whole block of new samples.
  if (features.unopened >= samples_per_feature * static_cast<double>(features.size())) {
    std::vector<Index> all = features_for(features.unopened, features.size(), features.random.has_value());
    const RidgeFamily family = co_await open_total(gathering, features, std::move(all));
    co_await choose_answer(gathering, features, family, Learned::no);
  }
  close_block(features, count.pending);
  features.next =
      next_meeting(state, block_quota(features.size(), features.total, options.half_life), options);
}

}  // namespace choir::online_kernel
