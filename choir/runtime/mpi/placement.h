// Which rank runs which nodes: blocks of neighbouring ids, as even as they come. On rings and grids most
// neighbours then share a rank.
//
//   const Placement placement(20, 4);
//   placement.block(1);        // nodes 5 to 9
//   placement.rank_of(7);      // 1
#pragma once

#include <string>

#include "choir/runtime/engine.h"

namespace choir {

class Placement {
 public:
  Placement(Index nodes, int ranks) : nodes_(nodes), ranks_(ranks) {}

  Index nodes() const { return nodes_; }
  int ranks() const { return ranks_; }
  // Rank r of R has the nodes from J r / R until J (r + 1) / R; none if there are more ranks than nodes.
  NodeRange block(int rank) const { return {begin(rank), begin(rank + 1)}; }
  int rank_of(NodeId node) const {
    return static_cast<int>((static_cast<Index>(ranks_) * (node + 1) - 1) / nodes_);
  }
  // "nodes 5 to 9", "node 3", "no nodes"
  std::string describe_block(int rank) const;

 private:
  NodeId begin(int rank) const { return static_cast<NodeId>(nodes_ * rank / ranks_); }

  Index nodes_;
  int ranks_;
};

}  // namespace choir
