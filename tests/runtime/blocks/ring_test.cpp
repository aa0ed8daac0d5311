#include "choir/runtime/blocks/ring.h"

#include <algorithm>
#include <set>

#include "graph/expect_error.h"
#include "runtime/blocks/networks.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

using Seen = std::vector<NodeId>;
enum class Way { forward, backward, there_and_back };

// Every node starts with its own number and notes what it gets.
Task<Seen> hand_round(Node& node, Way way) {
  Ring ring(node, Kind::control);
  Message carried(Kind::control);
  carried.integer(node.id());
  Seen seen;
  for (Index step = 0; step < node.network_size(); ++step) {
    const Message mine = carried;
    if (way == Way::backward) {
      carried = co_await ring.backward(mine);
    } else {
      carried = co_await ring.forward(mine);
    }
    if (way == Way::there_and_back) {
      const Message there = carried;
      carried = co_await ring.backward(there);
    }
    const Message got = carried;
    seen.push_back(static_cast<NodeId>(got.integer(0)));
  }
  co_return seen;
}

Outcome<Seen> handed_round(Engine& engine, const Graph& graph, Way way,
                           Duration deadline = std::chrono::seconds(60)) {
  return run_nodes<Seen>(engine, graph, contract_of("ring"), seeded(1, deadline),
                         [way](Node& node) { return hand_round(node, way); });
}

TEST(Ring, BringsEverythingToEverybodyAndThenHome) {
  for (const Graph& graph : small_networks()) {
    for (const auto& engine : calm_engines()) {
      const auto outcome = handed_round(*engine, graph, Way::forward);
      const auto nodes = static_cast<std::uint64_t>(graph.nodes());
      for (NodeId node = 0; node < graph.nodes(); ++node) {
        const Seen& seen = *outcome.results[static_cast<std::size_t>(node)];
        EXPECT_EQ(seen.back(), node);
        EXPECT_EQ(std::set<NodeId>(seen.begin(), seen.end()).size(), nodes) << "everybody's once";
      }
      EXPECT_EQ(outcome.report.ledger.total().messages, nodes * 2 * (nodes - 1));
    }
  }
}

TEST(Ring, GoesBackTheSameWay) {
  for (const Graph& graph : small_networks()) {
    SimEngine engine(testing::jitter());
    const auto forward = handed_round(engine, graph, Way::forward);
    const auto backward = handed_round(engine, graph, Way::backward);
    const auto nothing = handed_round(engine, graph, Way::there_and_back);
    for (std::size_t node = 0; node < forward.results.size(); ++node) {
      Seen seen = *forward.results[node];
      std::reverse(seen.begin(), seen.end() - 1);
      EXPECT_EQ(*backward.results[node], seen);
      EXPECT_EQ(std::ranges::count(*nothing.results[node], static_cast<NodeId>(node)), graph.nodes());
    }
  }
}

TEST(Ring, NeedsEveryNode) {
  SimEngine engine(without(6));
  expect_error(ErrorCategory::PeerLost, {"node 5 waits for node 6", "a ring needs every node"}, [&] {
    handed_round(engine, make_topology("line", 9, 0), Way::forward, std::chrono::seconds(2));
  });
}

// Node 3 computes for five deadlines in pieces and says now and then that it is there.
Task<bool> wait_for_a_slow_node(Node& node, bool gives_signs) {
  Ring ring(node, Kind::control);
  for (int piece = 0; piece < 20 && node.id() == 3; ++piece) {
    co_await node.sleep(std::chrono::milliseconds(500));
    if (gives_signs) ring.still_here();
  }
  const Message mine(Kind::control);
  const Message other = co_await ring.forward(mine);
  co_return other.integers().empty();
}

TEST(Ring, WaitsForWhoComputesAndSaysSo) {
  const auto run = [](bool gives_signs) {
    SimEngine engine;
    return run_nodes<bool>(engine, make_topology("line", 6, 0), contract_of("ring"),
                           seeded(1, std::chrono::seconds(2)),
                           [=](Node& node) { return wait_for_a_slow_node(node, gives_signs); });
  };
  for (const auto& done : run(true).results) EXPECT_EQ(done, true);
  expect_error(ErrorCategory::PeerLost, {"for node 3, which did not send in time"}, [&] { run(false); });
}

}  // namespace
}  // namespace choir
