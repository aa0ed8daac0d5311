#include "choir/runtime/blocks/tree_sum.h"

#include <limits>

#include "graph/expect_error.h"
#include "runtime/blocks/networks.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(TreeSum, IsTheSumWithTheSameBitsAtEveryNodeOfEveryEngine) {
  for (const Graph& graph : small_networks()) {
    const auto all = testing::all_values(graph);
    const Matrix truth = testing::mean_of(all) * static_cast<double>(graph.nodes());
    std::optional<Matrix> first;
    for (const auto& engine : calm_engines()) {
      const auto outcome = run_nodes<Matrix>(*engine, graph, contract_of("sum"), seeded(1), [](Node& node) {
        return tree_sum(node, node.tree(), values_of(node.id()));
      });
      if (!first) first = *outcome.results[0];
      EXPECT_LT((*first - truth).cwiseAbs().maxCoeff(), 1e-13 * static_cast<double>(graph.nodes()));
      for (const auto& result : outcome.results) EXPECT_EQ(*result, *first) << engine->name();
    }
  }
}

TEST(TreeSum, SendsTwoMessagesForEveryNodeButTheRoot) {
  for (const Graph& graph : small_networks()) {
    SimEngine engine(testing::jitter());
    const auto outcome = run_nodes<Matrix>(engine, graph, contract_of("sum"), seeded(1), [](Node& node) {
      return tree_sum(node, node.tree(), values_of(node.id()));
    });
    const auto links = static_cast<std::uint64_t>(graph.nodes() - 1);
    EXPECT_EQ(outcome.report.ledger.total(Kind::own_statistics).messages, links) << "to the root";
    EXPECT_EQ(outcome.report.ledger.total(Kind::totals).messages, links) << "and back";
    EXPECT_EQ(outcome.report.ledger.total().messages, 2 * links);
  }
}

TEST(SumAtRoot, IsKnownToTheRootAloneForOneMessageANode) {
  for (const Graph& graph : small_networks()) {
    SimEngine engine(testing::jitter());
    const auto sums = run_nodes<Matrix>(engine, graph, contract_of("sum"), seeded(1), [](Node& node) {
      return tree_sum(node, node.tree(), values_of(node.id()));
    });
    const auto outcome = run_nodes<std::optional<Matrix>>(
        engine, graph, contract_of("sum"), seeded(1),
        [](Node& node) { return sum_at_root(node, node.tree(), values_of(node.id())); });
    EXPECT_EQ(outcome.results[0]->value(), *sums.results[0]);
    for (std::size_t j = 1; j < outcome.results.size(); ++j) EXPECT_FALSE(outcome.results[j]->has_value());
    EXPECT_EQ(outcome.report.ledger.total().messages, static_cast<std::uint64_t>(graph.nodes() - 1));
  }
}

TEST(TreeMax, IsTheLargestOfEveryEntryOnEveryEngine) {
  for (const Graph& graph : small_networks()) {
    Matrix truth = values_of(0);
    for (const Matrix& one : testing::all_values(graph)) truth = truth.cwiseMax(one);
    for (const auto& engine : calm_engines()) {
      const auto outcome = run_nodes<Matrix>(*engine, graph, contract_of("max"), seeded(1), [](Node& node) {
        return tree_max(node, node.tree(), values_of(node.id()));
      });
      for (const auto& result : outcome.results) EXPECT_EQ(*result, truth) << engine->name();
    }
  }
}

TEST(TreeMax, DoesNotHideAValueThatIsNotANumber) {
  for (const NodeId broken : {0, 4}) {
    SimEngine engine;
    const auto outcome = run_nodes<Matrix>(
        engine, make_topology("line", 5, 0), contract_of("max"), seeded(1), [broken](Node& node) {
          const double value = node.id() == broken ? std::numeric_limits<double>::quiet_NaN() : 1.0;
          return tree_max(node, node.tree(), Matrix::Constant(1, 1, value));
        });
    for (const auto& result : outcome.results) EXPECT_TRUE(std::isnan((*result)(0, 0)));
  }
}

// The order in which children were folded, as text would show it, with numbers: 10 a + b is not commutative.
TEST(Convergecast, FoldsTheChildrenInAscendingOrderWhicheverArrivesFirst) {
  const Graph star = make_topology("star", 6, 0);
  for (const auto& engine : calm_engines()) {
    const auto outcome =
        run_nodes<std::optional<Message>>(*engine, star, contract_of("fold"), seeded(5), [](Node& node) {
          Message mine(Kind::control);
          mine.integer(node.id());
          return convergecast(node, node.tree(), mine, [](const Message& a, const Message& b) {
            Message both(Kind::control);
            both.integer(10 * a.integer(0) + b.integer(0));
            return both;
          });
        });
    ASSERT_TRUE(*outcome.results[0]);
    EXPECT_EQ((*outcome.results[0])->integer(0), 12345);
    for (std::size_t node = 1; node < 6; ++node) EXPECT_FALSE(*outcome.results[node]);
  }
}

TEST(Broadcast, BringsTheRootsMessageToAll) {
  for (const Graph& graph : small_networks()) {
    for (const auto& engine : calm_engines()) {
      const auto outcome =
          run_nodes<Message>(*engine, graph, contract_of("broadcast"), seeded(1), [](Node& node) {
            Message message(Kind::control);
            message.integer(100 + node.id());
            return broadcast(node, node.tree(), message);
          });
      for (const auto& result : outcome.results) EXPECT_EQ(result->integer(0), 100);
    }
  }
}

TEST(TreeSum, NamesTheChildWhoseShapeIsWrong) {
  SimEngine engine;
  expect_error(ErrorCategory::BadData, {"node 1 cannot use what node 2 sent it", "3 x 1", "2 x 1"}, [&] {
    run_nodes<Matrix>(engine, make_topology("line", 3, 0), contract_of("sum"), seeded(1), [](Node& node) {
      return tree_sum(node, node.tree(), Matrix::Ones(node.id() == 2 ? 3 : 2, 1));
    });
  });
}

Task<Matrix> sum_unless_it_is(Node& node, NodeId deserter) {
  Matrix mine = Matrix::Ones(1, 1);
  if (node.id() != deserter) mine = co_await tree_sum(node, node.tree(), mine);
  co_return mine;
}

TEST(TreeSum, SaysAtOnceWhichChildEndedOnEveryEngine) {
  for (const auto& engine : calm_engines()) {
    expect_error(ErrorCategory::PeerLost, {"node 2", "for node 3, which has ended"}, [&] {
      run_nodes<Matrix>(*engine, make_topology("line", 4, 0), contract_of("sum"), seeded(1),
                        [](Node& node) { return sum_unless_it_is(node, 3); });
    });
  }
}

// Every node has a 1; nobody waits for longer than two seconds.
Outcome<Matrix> sum_of_ones_without(NodeId lost, const Graph& graph, LostPeers policy) {
  SimEngine engine(without(lost));
  return run_nodes<Matrix>(engine, graph, contract_of("sum"), seeded(1, std::chrono::seconds(2), policy),
                           [](Node& node) { return tree_sum(node, node.tree(), Matrix::Ones(1, 1)); });
}

TEST(TreeSum, NamesTheCrashedNodeAndNotTheOnesThatWaitForItInTurn) {
  expect_error(ErrorCategory::PeerLost, {"node 5", "for node 6, which did not send its sum in time"},
               [] { sum_of_ones_without(6, make_topology("line", 9, 0), LostPeers::fail); });
}

TEST(TreeSum, LeavesOutACrashedLeafIfThePolicyIsToProceed) {
  const auto outcome = sum_of_ones_without(8, make_topology("line", 9, 0), LostPeers::proceed);
  for (std::size_t node = 0; node < 8; ++node) EXPECT_EQ((*outcome.results[node])(0, 0), 8);
  EXPECT_FALSE(outcome.results[8]);
  ASSERT_EQ(outcome.report.losses.size(), 1u);
  EXPECT_EQ(outcome.report.losses[0].node, 7);
  EXPECT_EQ(outcome.report.losses[0].peer, 8);
  EXPECT_LT(outcome.report.elapsed, std::chrono::seconds(3)) << "one deadline, however long the line";
}

// The sums of the later children are there, but the root still waits for the first one.
TEST(TreeSum, KeepsTheOtherChildrenWhileItWaitsForTheFirst) {
  const auto outcome = sum_of_ones_without(1, make_topology("star", 4, 0), LostPeers::proceed);
  for (const std::size_t node : {0u, 2u, 3u}) EXPECT_EQ((*outcome.results[node])(0, 0), 3);
}

TEST(TreeFold, BringsWhatAllMessagesCombineToToEveryNode) {
  for (const auto& engine : calm_engines()) {
    const auto outcome = run_nodes<Message>(
        *engine, make_topology("tree:2", 7, 0), contract_of("fold"), seeded(1), [](Node& node) {
          Message mine(Kind::own_statistics);
          mine.integer(node.id() + 1);
          return tree_fold(node, node.tree(), mine, [](const Message& a, const Message& b) {
            Message product(Kind::own_statistics);
            product.integer(a.integer(0) * b.integer(0));
            return product;
          });
        });
    for (const auto& product : outcome.results) EXPECT_EQ(product->integer(0), 5040);
    EXPECT_EQ(outcome.report.ledger.total(Kind::own_statistics).messages, 12u);
  }
}

TEST(TreeSum, CallsALostParentAnErrorWhateverThePolicy) {
  SimEngine engine(testing::without(1));
  expect_error(ErrorCategory::PeerLost, {"node 2 waits for the result of node 1, its parent"}, [&] {
    run_nodes<Matrix>(engine, make_topology("line", 4, 0), contract_of("sum"),
                      seeded(1, std::chrono::seconds(2), LostPeers::proceed),
                      [](Node& node) { return tree_sum(node, node.tree(), Matrix::Ones(1, 1)); });
  });
}

}  // namespace
}  // namespace choir
