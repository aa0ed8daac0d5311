#include "choir/run/drawings.h"

#include <gtest/gtest.h>

#include "choir/graph/topology.h"

namespace choir {
namespace {

// Node j sends 100 j + 1 bytes to each neighbour, and once a control message of 10.
Ledger ledger_of(const Graph& graph) {
  Ledger ledger(graph, {Kind::own_statistics, Kind::control, Kind::features});
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    for (Index position = 0; position < graph.degree(node); ++position) {
      ledger.count(node, position, Kind::own_statistics, static_cast<std::size_t>(100 * node + 1));
    }
    ledger.count(node, 0, Kind::control, 10);
  }
  return ledger;
}

using Link = NetworkDrawing::Link;

std::vector<std::uint64_t> numbers_of(const Link& link) {
  return {static_cast<std::uint64_t>(link.a), static_cast<std::uint64_t>(link.b), link.there, link.back};
}

TEST(NetworkDrawing, HasEveryLinkWithWhatWentOverIt) {
  const Graph line = make_topology("line", 3, 0);
  const NetworkDrawing drawing = draw_network(line, ledger_of(line));
  EXPECT_EQ(drawing.nodes, 3);
  ASSERT_EQ(drawing.links.size(), 2u);
  EXPECT_EQ(numbers_of(drawing.links[0]), (std::vector<std::uint64_t>{0, 1, 11, 111}));
  EXPECT_EQ(numbers_of(drawing.links[1]), (std::vector<std::uint64_t>{1, 2, 101, 211}));
  EXPECT_EQ(drawing.sent, (std::vector<std::uint64_t>{11, 212, 211}));
  EXPECT_TRUE(drawing.groups.empty());
}

TEST(NetworkDrawing, OfALargeNetworkHasGroupsOfNeighbouringNumbers) {
  const Graph ring = make_topology("ring:2", 3000, 0);
  const Ledger ledger = ledger_of(ring);
  const NetworkDrawing drawing = draw_network(ring, ledger);
  EXPECT_EQ(drawing.nodes, 3000);
  EXPECT_TRUE(drawing.sent.empty());
  ASSERT_EQ(drawing.groups.size(), static_cast<std::size_t>(drawn_groups));
  Index members = 0;
  std::uint64_t sent = 0;
  for (const auto& group : drawing.groups) {
    members += group.nodes;
    sent += group.sent;
  }
  EXPECT_EQ(members, 3000);
  EXPECT_EQ(sent, ledger.total().bytes);
  EXPECT_EQ(drawing.links.size(), static_cast<std::size_t>(drawn_groups)) << "a ring of groups";
  std::uint64_t between = 0;
  for (const Link& link : drawing.links) between += link.there + link.back;
  EXPECT_LT(between, ledger.total().bytes) << "what stays within a group is no link";
}

}  // namespace
}  // namespace choir
