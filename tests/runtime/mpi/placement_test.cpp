#include "choir/runtime/mpi/placement.h"

#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(Placement, EveryNodeIsInTheBlockOfItsRankAndInNoOther) {
  for (const Index nodes : {1, 2, 5, 19, 20, 1000}) {
    for (const int ranks : {1, 2, 3, 7, 20, 64}) {
      const Placement placement(nodes, ranks);
      NodeId next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const NodeRange block = placement.block(rank);
        EXPECT_EQ(block.first, next);
        for (NodeId node = block.first; node < block.last; ++node) EXPECT_EQ(placement.rank_of(node), rank);
        next = block.last;
      }
      EXPECT_EQ(next, nodes) << nodes << " nodes, " << ranks << " ranks";
    }
  }
}

TEST(Placement, BlocksDifferByAtMostOneNode) {
  const Placement placement(103, 10);
  for (int rank = 0; rank < 10; ++rank) {
    EXPECT_GE(placement.block(rank).size(), 10);
    EXPECT_LE(placement.block(rank).size(), 11);
  }
}

TEST(Placement, LargeNetworksDoNotOverflow) {
  const Placement placement(2'000'000'000, 100'000);
  EXPECT_EQ(placement.rank_of(1'999'999'999), 99'999);
  EXPECT_EQ(placement.block(99'999).last, 2'000'000'000);
}

TEST(Placement, BlocksInWords) {
  EXPECT_EQ(Placement(20, 4).describe_block(2), "nodes 10 to 14");
  EXPECT_EQ(Placement(4, 4).describe_block(3), "node 3");
  EXPECT_EQ(Placement(1, 2).describe_block(0), "no nodes");
}

}  // namespace
}  // namespace choir
