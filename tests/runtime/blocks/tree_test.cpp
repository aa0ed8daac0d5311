#include "choir/runtime/blocks/tree.h"

#include <algorithm>

#include "graph/expect_error.h"
#include "runtime/blocks/networks.h"
#include <gtest/gtest.h>

#include "choir/graph/traversal.h"

namespace choir {
namespace {

// The rule, with the whole graph in sight: the smallest neighbour one hop nearer is the parent.
std::vector<TreePlace> oracle(const Graph& graph, NodeId root) {
  const BreadthFirstTree tree = breadth_first_tree(graph, root);
  const std::int32_t height = *std::max_element(tree.depth.begin(), tree.depth.end());
  std::vector<TreePlace> places(static_cast<std::size_t>(graph.nodes()));
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    TreePlace& place = places[static_cast<std::size_t>(node)];
    place.root = root;
    place.parent = node;
    place.depth = tree.depth[static_cast<std::size_t>(node)];
    place.height = height;
    for (const NodeId other : graph.neighbors(node)) {
      if (tree.depth[static_cast<std::size_t>(other)] != place.depth - 1) continue;
      place.parent = other;
      places[static_cast<std::size_t>(other)].children.push_back(node);
      break;
    }
  }
  return places;
}

void expect_the_tree(Engine& engine, const Graph& graph, NodeId root, std::uint64_t seed) {
  const auto outcome = run_nodes<TreePlace>(engine, graph, contract_of("tree"), seeded(seed),
                                            [root](Node& node) { return build_tree(node, root); });
  const auto truth = oracle(graph, root);
  for (std::size_t node = 0; node < truth.size(); ++node) {
    EXPECT_EQ(*outcome.results[node], truth[node]) << engine.name() << " node " << node << " seed " << seed;
  }
}

TEST(BuildTree, IsTheTreeOfTheRuleForEveryRootAndTiming) {
  for (const Graph& graph : small_networks()) {
    for (NodeId root = 0; root < graph.nodes(); ++root) {
      SimOptions network;
      network.latency = parse_latency("1ms+exp:20ms");
      SimEngine engine(network);
      for (std::uint64_t seed = 0; seed < 5; ++seed) expect_the_tree(engine, graph, root, seed);
    }
  }
}

TEST(BuildTree, IsTheSameOnThreads) {
  LocalEngine engine({.threads = 4});
  for (const Graph& graph : small_networks()) {
    for (NodeId root = 0; root < graph.nodes(); ++root) expect_the_tree(engine, graph, root, 1);
  }
  expect_the_tree(engine, make_topology("erdos:0.03", 300, 1), 7, 1);
}

TEST(BuildTree, FindsItWhenMessagesTakeTheLongWayFirst) {
  SimOptions network;
  network.links.push_back({.a = 0, .b = 11, .latency = parse_latency("5s")});
  network.links.push_back({.a = 0, .b = 10, .latency = parse_latency("9s")});
  SimEngine engine(network);
  expect_the_tree(engine, make_topology("ring:4", 12, 0), 0, 1);
}

TEST(BuildTree, NamesANodeThatDoesNotAnswer) {
  SimEngine engine(testing::without(1));
  testing::expect_error(ErrorCategory::PeerLost, {"node 0 waits for node 1", "tree of node 0"}, [&] {
    run_nodes<TreePlace>(engine, make_topology("line", 3, 0), contract_of("tree"),
                         seeded(1, std::chrono::seconds(1)), [](Node& node) { return build_tree(node, 0); });
  });
}

TEST(BuildTree, RefusesARootThatDoesNotExist) {
  SimEngine engine;
  testing::expect_error(ErrorCategory::InvalidArgument, {"node 3", "0 to 2"}, [&] {
    run_nodes<TreePlace>(engine, make_topology("line", 3, 0), contract_of("tree"), seeded(1),
                         [](Node& node) { return build_tree(node, 3); });
  });
}

}  // namespace
}  // namespace choir
