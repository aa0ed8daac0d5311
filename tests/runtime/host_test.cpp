#include "choir/runtime/host.h"

#include <stdexcept>
#include <thread>

#include "runtime/support.h"

#include "choir/graph/random_graphs.h"
#include "choir/graph/topology.h"

namespace choir {
namespace {

Index position_by_search(const Graph& graph, NodeId of, NodeId among) {
  const auto list = graph.neighbors(among);
  return std::ranges::find(list, of) - list.begin();
}

void expect_all_positions(const Graph& graph) {
  const LinkTable table(graph);
  for (NodeId from = 0; from < graph.nodes(); ++from) {
    for (Index position = 0; position < graph.degree(from); ++position) {
      const NodeId to = graph.neighbors(from)[static_cast<std::size_t>(position)];
      for (const Link& link : {table.link(from, position), table.link_between(from, to)}) {
        ASSERT_EQ(link.from, from);
        ASSERT_EQ(link.to, to);
        ASSERT_EQ(link.position_at_sender, position);
        ASSERT_EQ(link.position_at_receiver, position_by_search(graph, from, to));
      }
    }
  }
}

TEST(LinkTable, FindsBothPositionsOfEveryLink) {
  for (const char* topology : {"ring:4", "star", "complete", "tree:3", "erdos:0.3", "barabasi:2"}) {
    SCOPED_TRACE(topology);
    expect_all_positions(make_topology(topology, 40, 3));
  }
  expect_all_positions(line_graph(1));
}

std::string what_of(const FailureLog& log) {
  try {
    std::rethrow_exception(log.error());
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::exception_ptr error_named(const std::string& name) {
  return std::make_exception_ptr(std::runtime_error(name));
}

TEST(FailureLog, TheLowestRoundCountsThenTheLowestNode) {
  FailureLog log;
  EXPECT_FALSE(log.any());
  log.add(7, 1, error_named("round 7"));
  EXPECT_TRUE(log.any());
  log.add(3, 9, error_named("node 9"));
  log.add(3, 4, error_named("node 4"));
  log.add(3, 6, error_named("node 6"));
  log.add(8, 0, error_named("too late"));
  EXPECT_EQ(log.round(), 3u);
  EXPECT_EQ(log.node(), 4);
  EXPECT_EQ(what_of(log), "node 4");
}

TEST(FailureLog, DoesNotDependOnWhoComesFirst) {
  FailureLog log;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&log, thread] {
      for (int i = 99; i >= 0; --i) {
        const int node = 4 * (i % 10) + thread;
        log.add(static_cast<std::uint64_t>(5 + i / 10), node, error_named(std::to_string(node)));
      }
    });
  }
  threads.clear();
  EXPECT_EQ(log.round(), 5u);
  EXPECT_EQ(log.node(), 0);
  EXPECT_EQ(what_of(log), "0");
}

TEST(RunContext, KnowsTheTreeFromNodeZero) {
  const Graph graph = line_graph(5);
  const Contract contract = testing::test_contract();
  const RunOptions options;
  testing::RecordingHost host;
  const RunContext run(graph, contract, options, host);
  EXPECT_EQ(run.tree.root, 0);
  EXPECT_EQ(run.tree_height, 4);
  EXPECT_EQ(run.ledger.kinds(), contract.kinds);
}

}  // namespace
}  // namespace choir
