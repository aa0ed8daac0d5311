#include "choir/learn/online_kernel/memories.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "choir/learn/online_kernel/openings.h"
#include "choir/learn/online_kernel/ridge_family.h"

namespace choir::online_kernel {
namespace {

constexpr double loss_kept = 0.7;  // per block: what was best before a change decides for a few blocks more
// Samples that are forgotten are missing if the change was none: forgetting has to be clearly better, and by
// more than chance makes of so many samples (3% of 200, where the best of six ridges counts).
constexpr double least_gain_of_forgetting = 0.01;
constexpr double chance_of_one_sample = 0.3;
// Half of the sum of differences of the classes' shares. A block of one class alone, as in a file that is
// sorted by class, is answered best by who remembers nothing else.
constexpr double same_classes = 0.4;

// A class of before that a block has none of: who has forgotten the class would seem the better one. Its
// nodes' streams may have ended.
bool lacks_a_class(const FeatureSums& memory, const FeatureSums& block) {
  return ((memory.targets.array() > 0) && (block.targets.array() <= 0)).any();
}

double class_distance(const FeatureSums& a, const FeatureSums& b) {
  const Vector shares_a = a.targets / a.targets.sum(), shares_b = b.targets / b.targets.sum();
  return (shares_a - shares_b).cwiseAbs().sum() / 2;
}

// 1 x ridge_candidates
Matrix losses_of(const FeatureSums& memory, const FeatureSums& asked) {
  Matrix losses(1, ridge_candidates);
  for (Index i = 0; i < ridge_candidates; ++i)
    losses(0, i) = squared_loss(asked, ridge_weights(memory, ridge_factor(i))) / asked.weight;
  return losses;
}

}  // namespace

Memories Memories::none(Vector half_lives, Index features, Index outputs) {
  const Index count = half_lives.size();
  return {.half_lives = std::move(half_lives),
          .sums = std::vector(static_cast<std::size_t>(count), FeatureSums::none(features, outputs)),
          .losses = Matrix::Zero(count, ridge_candidates)};
}

void Memories::forget(Index streams, Index batch, std::uint64_t rounds) {
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[i].forget(share_kept(half_lives(static_cast<Index>(i)), streams, batch, rounds));
}

void Memories::learn(const FeatureSums& block, Weighing weighing) {
  const bool classes = block.outputs() > 1;
  const bool same =
      !classes || (!lacks_a_class(sums[0], block) && class_distance(sums[0], block) <= same_classes);
  const bool telling = sums.size() > 1 && sums[0].weight > 0 && block.weight > 0 && same;
  if (telling) {
    const bool balances = weighing == Weighing::balanced;
    const FeatureSums questions = balances ? rebalanced(block, balancing_factors(sums[0])) : block;
    losses *= loss_kept;
    asked = loss_kept * asked + block.samples;
    for (std::size_t i = 0; i < sums.size(); ++i)
      losses.row(static_cast<Index>(i)) += losses_of(weighed(sums[i], weighing), questions);
  }
  for (FeatureSums& memory : sums) memory += block;
}

std::size_t Memories::best() const {
  Index least = 0;
  const Vector with_best_ridge = losses.rowwise().minCoeff();
  const double loss = with_best_ridge.minCoeff(&least);
  const double gain = least_gain_of_forgetting + chance_of_one_sample / std::sqrt(std::max(asked, 1.0));
  return loss < (1 - gain) * with_best_ridge(0) ? static_cast<std::size_t>(least) : 0;
}

Vector half_lives_to_try(std::optional<double> given, Index features) {
  if (given) return Vector::Constant(1, *given);
  return samples_per_feature * static_cast<double>(features) * Vector{{0, 8, 2, 0.5}};
}

}  // namespace choir::online_kernel
