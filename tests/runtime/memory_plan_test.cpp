#include "choir/runtime/memory_plan.h"

#include <limits>

#include "runtime/support.h"

#include "choir/runtime/local/local_engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

constexpr std::uint64_t mebi = std::uint64_t{1} << 20;
constexpr auto most = std::numeric_limits<std::uint64_t>::max();

Contract needing(std::function<std::uint64_t(NodeId)> memory) {
  Contract contract = testing::test_contract();
  contract.memory = std::move(memory);
  return contract;
}

TEST(MemoryPlan, AddsUpWhatTheNodesOfOneProcessDeclare) {
  const Contract contract = needing([](NodeId node) { return static_cast<std::uint64_t>(node) * mebi; });
  const MemoryPlan plan = plan_memory(ring_graph(10, 2), contract, {3, 6}, 1);
  EXPECT_EQ(plan.nodes, 3);
  EXPECT_EQ(plan.method_bytes, (3 + 4 + 5) * mebi);
  EXPECT_EQ(plan.largest_bytes, 5 * mebi);
  EXPECT_EQ(plan.largest_node, 5);
  EXPECT_GT(plan.engine_bytes, 0u);
  EXPECT_EQ(plan.total(), plan.method_bytes + plan.engine_bytes);
}

TEST(MemoryPlan, ScratchCountsForAsManyNodesAsComputeAtOnce) {
  Contract contract = needing([](NodeId) { return mebi; });
  contract.scratch = [](NodeId node) { return static_cast<std::uint64_t>(10 * node) * mebi; };
  EXPECT_EQ(plan_memory(ring_graph(10, 2), contract, {0, 10}, 1).method_bytes, (10 + 90) * mebi);
  EXPECT_EQ(plan_memory(ring_graph(10, 2), contract, {0, 10}, 3).method_bytes, (10 + 90 + 80 + 70) * mebi);
  const MemoryPlan all = plan_memory(ring_graph(10, 2), contract, {0, 10}, 64);
  EXPECT_EQ(all.method_bytes, (10 + 450) * mebi);
  EXPECT_EQ(all.largest_bytes, 91 * mebi);
  EXPECT_EQ(all.largest_node, 9);
}

TEST(MemoryPlan, TheEnginesShareGrowsWithNodesAndLinks) {
  const Contract contract = testing::test_contract();
  const auto engine_bytes = [&](const Graph& graph) {
    return plan_memory(graph, contract, {0, static_cast<NodeId>(graph.nodes())}, 1).engine_bytes;
  };
  EXPECT_LT(engine_bytes(ring_graph(100, 2)), engine_bytes(ring_graph(200, 2)));
  EXPECT_LT(engine_bytes(ring_graph(100, 2)), engine_bytes(ring_graph(100, 20)));
}

TEST(MemoryPlan, SaturatesInsteadOfWrappingAround) {
  const Contract contract = needing([](NodeId) { return most / 2; });
  const MemoryPlan plan = plan_memory(ring_graph(5, 2), contract, {0, 5}, 1);
  EXPECT_EQ(plan.total(), most);
}

TEST(MemoryPlan, DescribesItselfInNumbers) {
  MemoryPlan plan;
  plan.nodes = 20;
  plan.method_bytes = 3072 * mebi;
  plan.largest_bytes = 512 * mebi;
  plan.largest_node = 7;
  EXPECT_EQ(describe(plan, 1024 * mebi),
            "20 nodes need 3.0 GiB (node 7 the most, 512.0 MiB), 1.0 GiB are available");
}

TEST(MemoryPlan, RefusesWhatDoesNotFitAndOnlyThat) {
  MemoryPlan plan;
  plan.nodes = 2;
  plan.method_bytes = 100;
  require_memory(plan, "test", 100);
  expect_error(ErrorCategory::OutOfMemory, {"test: ", "2 nodes need", "99 B", "--engine mpi"},
               [&] { require_memory(plan, "test", 99); });
}

TEST(MemoryPlan, EnginesRefuseBeforeAnyNodeStarts) {
  const Contract contract = needing([](NodeId node) { return node == 2 ? std::uint64_t{1} << 50 : 0; });
  int started = 0;
  const Program program = [&](Node&) -> Task<void> {
    ++started;
    co_return;
  };
  SimEngine sim;
  LocalEngine local({.threads = 1});
  for (Engine* engine : {static_cast<Engine*>(&sim), static_cast<Engine*>(&local)}) {
    expect_error(ErrorCategory::OutOfMemory,
                 {"test: 4 nodes need", "1.0 PiB", "node 2 the most", "are available"},
                 [&] { engine->run(ring_graph(4, 2), contract, program, {}); });
  }
  EXPECT_EQ(started, 0);
}

}  // namespace
}  // namespace choir
