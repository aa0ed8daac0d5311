#include "choir/cli/network_facts.h"

#include <gtest/gtest.h>

#include "choir/graph/topology.h"

namespace choir::cli {
namespace {

using Json = nlohmann::ordered_json;

// Node j sends 100 j + 1 bytes to each neighbour, and once a control message of 10.
Ledger ledger_of(const Graph& graph) {
  Ledger ledger(graph, {Kind::statistics, Kind::control, Kind::features});
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    for (Index position = 0; position < graph.degree(node); ++position) {
      ledger.count(node, position, Kind::statistics, static_cast<std::size_t>(100 * node + 1));
    }
    ledger.count(node, 0, Kind::control, 10);
  }
  return ledger;
}

std::uint64_t bytes_of(const Json& links) {
  std::uint64_t bytes = 0;
  for (const Json& link : links) bytes += link[2].get<std::uint64_t>() + link[3].get<std::uint64_t>();
  return bytes;
}

TEST(NetworkFacts, HaveEveryLinkWithWhatWentOverIt) {
  const Graph line = make_topology("line", 3, 0);
  const Json facts = network_facts(line, ledger_of(line));
  EXPECT_EQ(facts.at("nodes"), 3);
  EXPECT_EQ(facts.at("links"), Json::parse("[[0, 1, 11, 111], [1, 2, 101, 211]]"));
  EXPECT_EQ(facts.at("sent"), Json::parse("[11, 212, 211]"));
  EXPECT_FALSE(facts.contains("groups"));
}

TEST(NetworkFacts, OfALargeNetworkAreGroupsOfNeighbouringNumbers) {
  const Graph ring = make_topology("ring:2", 3000, 0);
  const Ledger ledger = ledger_of(ring);
  const Json facts = network_facts(ring, ledger);
  EXPECT_EQ(facts.at("nodes"), 3000);
  ASSERT_EQ(facts.at("groups").size(), static_cast<std::size_t>(drawn_groups));
  Index members = 0;
  std::uint64_t sent = 0;
  for (const Json& group : facts.at("groups")) {
    members += group.at("nodes").get<Index>();
    sent += group.at("sent").get<std::uint64_t>();
  }
  EXPECT_EQ(members, 3000);
  EXPECT_EQ(sent, ledger.total().bytes);
  EXPECT_EQ(facts.at("links").size(), static_cast<std::size_t>(drawn_groups)) << "a ring of groups";
  EXPECT_LT(bytes_of(facts.at("links")), ledger.total().bytes) << "what stays within a group is no link";
  EXPECT_LT(facts.dump().size(), 20000u);
}

TEST(NetworkFacts, OfKindsThatWereSent) {
  const Graph line = make_topology("line", 3, 0);
  EXPECT_EQ(sent_by_kind(ledger_of(line)),
            Json::parse(R"({"statistics": [1, 202, 201], "control": [10, 10, 10]})"));
}

}  // namespace
}  // namespace choir::cli
