// Whose samples a node has heard of, directly or through others: one bit a node.
//
// Weights tell a node the mean number of samples of a node, not how many nodes there are that take part: some
// may never have joined. A set that only grows spreads as fast as gossip does and is exact once it has.
#pragma once

#include <bit>
#include <cstdint>

#include "choir/base/types.h"
#include "choir/linalg/types.h"

namespace choir::gossip_pca {

class Participants {
 public:
  using Words = MatrixOf<std::int64_t>;  // one column

  Participants(Index nodes, NodeId self) : words_(Words::Zero((nodes + 63) / 64, 1)) {
    words_(self / 64) = static_cast<std::int64_t>(std::uint64_t{1} << (self % 64));
  }

  void add(const Words& others) {
    for (Index i = 0; i < words_.size(); ++i) words_(i) |= others(i);
  }
  Index count() const {
    Index count = 0;
    for (Index i = 0; i < words_.size(); ++i) count += std::popcount(static_cast<std::uint64_t>(words_(i)));
    return count;
  }
  const Words& words() const { return words_; }

 private:
  Words words_;
};

}  // namespace choir::gossip_pca
