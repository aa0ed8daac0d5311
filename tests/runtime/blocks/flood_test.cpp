#include "choir/runtime/blocks/flood.h"

#include "graph/expect_error.h"
#include "runtime/blocks/networks.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

Message letter_of(NodeId node) {
  Message message(Kind::own_statistics);
  message.integer(node).array(Array(testing::values_of(node)));
  return message;
}

TEST(Flood, BringsTheOriginsMessageToAllInTheFewestMessages) {
  for (const Graph& graph : small_networks()) {
    for (const NodeId origin : {NodeId{0}, static_cast<NodeId>(graph.nodes() - 1)}) {
      for (const auto& engine : calm_engines()) {
        const auto outcome =
            run_nodes<Message>(*engine, graph, contract_of("flood"), seeded(4),
                               [origin](Node& node) { return flood(node, origin, letter_of(node.id())); });
        for (const auto& result : outcome.results) {
          EXPECT_EQ(result->integer(0), origin);
          EXPECT_EQ(Matrix(result->array(0).matrix()), testing::values_of(origin));
        }
        EXPECT_EQ(outcome.report.ledger.total().messages,
                  static_cast<std::uint64_t>(2 * graph.edges() - graph.nodes() + 1));
      }
    }
  }
}

Task<std::int64_t> two_floods(Node& node) {
  const Message first = co_await flood(node, 0, letter_of(node.id()));
  const Message second = co_await flood(node, 1, letter_of(node.id()));
  co_return 10 * first.integer(0) + second.integer(0);
}

TEST(Flood, IsNotMixedUpWithTheNextOne) {
  for (const auto& engine : calm_engines()) {
    const auto outcome = run_nodes<std::int64_t>(*engine, make_topology("ring:4", 12, 0),
                                                 contract_of("flood"), seeded(4), two_floods);
    for (const auto& result : outcome.results) EXPECT_EQ(*result, 1);
  }
}

TEST(Flood, GoesRoundACrashedNode) {
  SimEngine engine(testing::without(1));
  const auto outcome =
      run_nodes<Message>(engine, make_topology("ring:2", 8, 0), contract_of("flood"), seeded(4),
                         [](Node& node) { return flood(node, 0, letter_of(node.id())); });
  for (std::size_t node = 0; node < 8; ++node) {
    if (node == 1) continue;
    EXPECT_EQ(outcome.results[node]->integer(0), 0);
  }
}

TEST(Flood, SaysWhoWaitedForWhomIfNothingComes) {
  SimEngine engine(testing::without(1));
  testing::expect_error(ErrorCategory::PeerLost,
                        {"node 2 did not receive the message that node 0 sends to all"}, [&] {
                          run_nodes<Message>(engine, make_topology("line", 4, 0), contract_of("flood"),
                                             seeded(4, std::chrono::seconds(1)),
                                             [](Node& node) { return flood(node, 0, letter_of(node.id())); });
                        });
}

TEST(Flood, RefusesAnOriginThatDoesNotExist) {
  SimEngine engine;
  testing::expect_error(ErrorCategory::InvalidArgument, {"node 9", "0 to 3"}, [&] {
    run_nodes<Message>(engine, make_topology("line", 4, 0), contract_of("flood"), seeded(4),
                       [](Node& node) { return flood(node, 9, letter_of(node.id())); });
  });
}

}  // namespace
}  // namespace choir
