#include "choir/runtime/blocks/stop.h"

#include <algorithm>

#include "runtime/blocks/networks.h"
#include <gtest/gtest.h>

#include "choir/graph/traversal.h"

namespace choir {
namespace {

// A node is content from some iteration on, with a relapse now and then before it.
Index content_from(NodeId node) { return (7 * node + 3) % 20; }
bool flagged(NodeId node, Index t) { return t >= content_from(node) || (t + node) % 3 != 0; }

Task<Index> iterate(Node& node, Index diameter) {
  StopAgreement agreement(diameter);
  Index t = 0;
  for (bool stop = false; !stop; ++t)
    stop = co_await agree_to_stop(node, agreement, t, flagged(node.id(), t));
  co_return t;
}

// The counter's recurrence with all nodes in sight: the first iteration at which any counter passes the
// bound.
Index first_call(const Graph& graph, Index diameter) {
  std::vector<Index> counters(static_cast<std::size_t>(graph.nodes()), 0);
  for (Index t = 0;; ++t) {
    const std::vector<Index> before = counters;
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      Index& mine = counters[static_cast<std::size_t>(node)];
      for (const NodeId other : graph.neighbors(node)) {
        mine = std::min(mine, before[static_cast<std::size_t>(other)]);
      }
      mine = flagged(node, t) ? mine + 1 : 0;
    }
    if (*std::max_element(counters.begin(), counters.end()) > diameter) return t;
  }
}

bool all_flagged_at(const Graph& graph, Index t) {
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    if (!flagged(node, t)) return false;
  }
  return true;
}

TEST(StopAgreement, GoesOnFromItsWordsAsIfItHadNotStopped) {
  const std::vector<StopWords> neighbors = {{.counter = 9}};
  StopAgreement whole(4);
  for (Index t = 0; t < 12; ++t) {
    StopAgreement resumed(4, whole.words());
    whole.advance(t, t != 3, neighbors);
    resumed.advance(t, t != 3, neighbors);
    EXPECT_EQ(resumed.words().counter, whole.words().counter);
    EXPECT_EQ(resumed.words().stop_at, whole.words().stop_at);
  }
  EXPECT_TRUE(whole.reached(whole.words().stop_at));
  EXPECT_FALSE(whole.reached(whole.words().stop_at - 1));
  EXPECT_EQ(whole.words().stop_at, 8 + 1 + 4) << "content for 5 iterations from the 4th on";
}

TEST(StopAgreement, StopsAllNodesAtTheIterationThatTheFirstCallSays) {
  for (const Graph& graph : small_networks()) {
    for (const auto& engine : calm_engines()) {
      const auto outcome = run_nodes<Index>(*engine, graph, contract_of("stop"), seeded(3),
                                            [](Node& node) { return iterate(node, 2 * node.tree().height); });
      const Index bound = 2 * breadth_first_tree(graph, 0)
                                  .depth[static_cast<std::size_t>(breadth_first_tree(graph, 0).order.back())];
      const Index truth = first_call(graph, bound) + 1 + bound;
      for (const auto& result : outcome.results) EXPECT_EQ(*result, truth) << engine->name();
    }
  }
}

TEST(StopAgreement, IsOnlyCalledAfterAnIterationWithAllNodesFlagged) {
  for (const Graph& graph : small_networks()) {
    for (Index slack = 0; slack < 3; ++slack) {
      const Index bound = graph.nodes() - 1 + slack;
      const Index call = first_call(graph, bound);
      EXPECT_TRUE(all_flagged_at(graph, call - bound));
    }
  }
}

TEST(StopAgreement, NeverStopsWhileOneNodeIsNotContent) {
  StopAgreement agreement(2);
  const StopWords restless{.counter = 0};
  for (Index t = 0; t < 100; ++t) agreement.advance(t, true, std::span(&restless, 1));
  EXPECT_EQ(agreement.words().counter, 1);
  EXPECT_FALSE(agreement.reached(1'000'000));
}

TEST(StopAgreement, FollowsTheEarliestCallItHearsOf) {
  StopAgreement agreement(5);
  const std::vector<StopWords> calls = {{.counter = 0, .stop_at = 40}, {.counter = 0, .stop_at = 30}};
  agreement.advance(20, false, calls);
  EXPECT_EQ(agreement.words().stop_at, 30);
  EXPECT_FALSE(agreement.reached(29));
  EXPECT_TRUE(agreement.reached(30));
}

}  // namespace
}  // namespace choir
