#include "choir/learn/online_kernel/total.h"

#include <algorithm>
#include <utility>

#include "choir/runtime/blocks/tree_sum.h"

namespace choir::online_kernel {
namespace {

constexpr Index usual_ridge = 3;  // of the grid, before there were losses: the mean squared length

Message to_message(const RidgeFamily& family, double half_life) {
  Message message(Kind::totals);
  message.number(family.weight).number(family.length).number(half_life);
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

Weighing weighing_of(const Options& options) {
  const bool balances = is_classification(options.loss) && options.class_weights == ClassWeights::balanced;
  return balances ? Weighing::balanced : Weighing::as_they_came;
}

RidgeFamily family_in(const FeatureSums& total, Weighing weighing) {
  if (weighing == Weighing::as_they_came) return ridge_family(total);
  const Vector factors = balancing_factors(total);
  RidgeFamily family = ridge_family(rebalanced(total, factors));
  family.factors = factors;
  return family;
}

Index best_ridge(const FeatureSet& set) {
  Index best = usual_ridge;
  if (set.losses.maxCoeff() > 0) set.losses.minCoeff(&best);
  return best;
}

// At the root: the block joins what was opened before, and the memory that answers best is what all are told.
Message learn_block(const FeatureSums& block, Weighing weighing, FeatureSet& set) {
  if (block.size() < set.size()) return to_message(family_in(block, weighing), set.half_life);
  set.memories.learn(block, weighing);
  const std::size_t best = set.memories.best();
  return to_message(family_in(set.memories.sums[best], weighing),
                    set.memories.half_lives(static_cast<Index>(best)));
}

// The closed blocks of all nodes, which join those before, as regressions on the chosen features.
Task<RidgeFamily> open_blocks(Gathering& gathering, FeatureSet& set, std::vector<Index> chosen) {
  Node& node = gathering.node;
  Matrix mine = set.closed.packed(chosen);
  const std::optional<Matrix> total = co_await secure_sum_at_root(node, gathering.sums, std::move(mine));
  Message found(Kind::totals);
  if (total) {
    const auto size = static_cast<Index>(chosen.size());
    const FeatureSums block = FeatureSums::unpacked(*total, size, set.closed.outputs());
    found = learn_block(block, weighing_of(gathering.options), set);
  }
  const Message agreed = co_await broadcast(node, node.tree(), found);
  if (std::ssize(chosen) == set.size()) set.closed = FeatureSums::none(set.size(), set.closed.outputs());
  set.half_life = agreed.number(2);
  set.used = std::ssize(chosen);
  set.unopened = 0;
  co_return spread_over(to_family(agreed), chosen, set.size());
}

// A row for each ridge, of this node's latest samples; without those that are in the total, or each as if it
// were not.
Matrix examine_all(const SetAtWork& work, const RecentSamples& recent, const RidgeFamily& family,
                   Learned learned) {
  const FeatureSet& set = work.set;
  const Index outputs = set.closed.outputs();
  const Index count =
      std::min(recent.samples.cols(), learned == Learned::yes ? set.own_samples : set.pending_samples);
  const Vector ridges = ridge_grid(family);
  Matrix rows = Examination::none(outputs).row().replicate(ridges.size(), 1);
  if (count == 0) return rows;
  const Index first = recent.samples.cols() - count;
  Matrix psi = work.map.features(work.preprocessing.applied(recent.samples, first, count));
  if (!work.part.empty()) psi = psi(work.part, Eigen::all).eval();
  const Matrix phi = coordinates_of(family, psi);
  const Matrix targets = coded_targets(recent.targets.tail(count), outputs);
  Vector weights = recent.weights.tail(count);
  if (outputs > 1) weights.array() *= (targets * family.factors).array();
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
Task<void> choose_answer(Gathering& gathering, SetAtWork work, const RecentSamples& recent,
                         const RidgeFamily& family, Learned learned) {
  Matrix mine = examine_all(work, recent, family, learned);
  const Matrix all = co_await secure_sum(gathering.node, gathering.sums, std::move(mine));
  FeatureSet& set = work.set;
  for (Index i = 0; i < all.rows(); ++i) set.losses(i) += Examination::of(all.row(i)).loss;
  const Index best = best_ridge(set);
  set.ridge = ridge_grid(family)(best);
  set.weights = weights_of(family, set.ridge);
  set.verdict = Examination::of(all.row(best));
  set.score_scale = best_score_scale(set.verdict.log_losses);
}

}  // namespace

Task<void> open_total(Gathering& gathering, SetAtWork work, const RecentSamples& recent,
                      std::vector<Index> chosen, Learned learned) {
  const RidgeFamily family = co_await open_blocks(gathering, work.set, std::move(chosen));
  co_await choose_answer(gathering, work, recent, family, learned);
}

Matrix features_of(const FeatureMap& map, const FeatureSet& set, const Samples& samples) {
  if (samples.cols() == 0) return Matrix(set.size(), 0);
  return map.features(samples);
}

Matrix coded_targets(const Vector& targets, Index outputs) {
  if (outputs == 1) return targets;
  Matrix coded = Matrix::Zero(targets.size(), outputs);
  for (Index n = 0; n < targets.size(); ++n) coded(n, static_cast<Index>(targets(n))) = 1;
  return coded;
}

}  // namespace choir::online_kernel
