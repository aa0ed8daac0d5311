// Moments of all nodes that forget at several rates, side by side over the same blocks. A block comes with
// its own moments, so each memory's answer is tried on all of its samples before they are learned, without
// seeing one. Pure mathematics.
//
//   auto memories = online_kernel::Memories::none(online_kernel::half_lives_to_try({}, 500), 500, 10);
//   memories.forget(8, 10, 150);  // what 8 streams bring in 150 rounds, 10 samples each
//   memories.learn(block, online_kernel::Weighing::balanced);
//   const auto total = weighed(memories.sums[memories.best()], online_kernel::Weighing::balanced);
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "choir/learn/online_kernel/feature_sums.h"
#include "choir/linalg/types.h"

namespace choir::online_kernel {

struct Memories {
  Vector half_lives;              // 0: nothing is forgotten; the first one is used unless another is better
  std::vector<FeatureSums> sums;  // of these
  // Progressive, of late: a row for each memory, a column for each ridge of the grid, because a shorter
  // memory may need another one.
  Matrix losses;
  double asked = 0;  // samples behind these

  static Memories none(Vector half_lives, Index features, Index outputs);
  void forget(Index streams, Index batch, std::uint64_t rounds);
  // Asks every memory about the block, with every ridge, and adds it.
  void learn(const FeatureSums& block, Weighing weighing);
  std::size_t best() const;
};

// From the half-life that was given, or what is tried where none was: none, and some lengths of a block.
Vector half_lives_to_try(std::optional<double> given, Index features);

}  // namespace choir::online_kernel
