#include "choir/runtime/blocks/secure_sum/partners.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "choir/base/rng.h"

namespace choir {
namespace {

std::vector<NodeId> first_nodes(Index count) {
  std::vector<NodeId> nodes(static_cast<std::size_t>(count));
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  return nodes;
}

TEST(MaskPartners, AreAllOthersInSmallNetworksAndEnoughInLargeOnes) {
  for (const Index nodes : {2, 3, 20, 64}) EXPECT_EQ(partner_count(nodes), nodes - 1);
  for (const Index nodes : {65, 400, 10'000, 1'000'000}) {
    const Index count = partner_count(nodes);
    EXPECT_EQ(count % 2, 0);
    const double isolated =
        std::log2(static_cast<double>(nodes)) + static_cast<double>(count) * std::log2(bad_share);
    EXPECT_LE(isolated, -40);
    EXPECT_GT(isolated, -40 - 2 * std::log2(3)) << "no more than that takes";
  }
}

TEST(MaskPartners, NameEachOtherWhoeverTakesPart) {
  for (const Index nodes : {2, 40, 64, 65, 100, 400}) {
    const MaskPartners partners(first_nodes(nodes), 7);
    for (const double share : {1.0, 0.8, 0.3}) {
      Rng random(1, Purpose("who takes part"));
      std::vector<NodeId> some;
      for (const NodeId node : first_nodes(nodes)) {
        if (some.size() < 2 || random.uniform() < share) some.push_back(node);
      }
      for (const NodeId node : some) {
        const std::vector<NodeId> own = partners.of(node, some);
        EXPECT_EQ(std::ssize(own), partner_count(std::ssize(some)));
        EXPECT_TRUE(std::ranges::is_sorted(own));
        EXPECT_EQ(std::set<NodeId>(own.begin(), own.end()).size(), own.size());
        for (const NodeId other : own) {
          EXPECT_NE(other, node);
          EXPECT_TRUE(std::ranges::binary_search(some, other));
          EXPECT_TRUE(std::ranges::binary_search(partners.of(other, some), node));
        }
      }
    }
  }
}

// A third of the nodes leave at random, and the others are not cut apart.
TEST(MaskPartners, KeepThoseConnectedWhoAreLeft) {
  const std::vector<NodeId> nodes = first_nodes(400);
  const MaskPartners partners(nodes, 3);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng random(seed, Purpose("who leaves"));
    std::set<NodeId> left;
    for (const NodeId node : nodes) {
      if (random.uniform() > bad_share) left.insert(node);
    }
    std::set<NodeId> reached = {*left.begin()};
    std::vector<NodeId> next = {*left.begin()};
    while (!next.empty()) {
      const NodeId node = next.back();
      next.pop_back();
      for (const NodeId other : partners.of(node, nodes)) {
        if (left.contains(other) && reached.insert(other).second) next.push_back(other);
      }
    }
    EXPECT_EQ(reached, left);
  }
}

TEST(MaskPartners, StandInAnOrderThatKeysDecide) {
  Words table(5, 100);
  for (Index i = 0; i < table.cols(); ++i) table.col(i).setConstant(i);
  const auto partners_of_3 = [&] {
    return MaskPartners::from_keys(WordsView(table.data(), table.rows(), table.cols()))
        .of(3, first_nodes(100));
  };
  const std::vector<NodeId> before = partners_of_3();
  EXPECT_EQ(partners_of_3(), before);
  table(1, 70) = 12345;
  EXPECT_NE(partners_of_3(), before);
}

}  // namespace
}  // namespace choir
