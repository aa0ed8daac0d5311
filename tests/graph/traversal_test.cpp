#include "choir/graph/traversal.h"

#include <algorithm>

#include "graph/expect_error.h"

#include "choir/base/rng.h"
#include "choir/graph/topology.h"

namespace choir {
namespace {

using testing::expect_error;

const std::vector<Edge> three_parts = {{0, 1}, {1, 2}, {4, 5}};  // {0,1,2}, {3}, {4,5}

// Shortest distances of all pairs, the slow and obvious way.
std::vector<std::vector<int>> floyd_warshall(const Graph& graph) {
  const auto count = static_cast<std::size_t>(graph.nodes());
  std::vector<std::vector<int>> d(count, std::vector<int>(count, 1'000'000));
  for (std::size_t i = 0; i < count; ++i) {
    d[i][i] = 0;
    for (const NodeId j : graph.neighbors(static_cast<NodeId>(i))) d[i][static_cast<std::size_t>(j)] = 1;
  }
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < count; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
    }
  }
  return d;
}

TEST(Components, AreNumberedByTheirSmallestNode) {
  const Components parts = components(Graph::from_edges(6, three_parts));
  EXPECT_EQ(parts.label, (std::vector<NodeId>{0, 0, 0, 1, 2, 2}));
  EXPECT_EQ(parts.sizes, (std::vector<Index>{3, 1, 2}));
  EXPECT_FALSE(parts.connected());
}

TEST(RequireConnected, NamesAnUnreachableNodeAndTheParts) {
  require_connected(make_topology("line", 4, 0), "line");
  expect_error(ErrorCategory::BadData,
               {"links.txt", "not connected", "node 3", "node 0", "3 parts of 3, 2 and 1 nodes"}, [] {
                 require_connected(Graph::from_edges(6, three_parts), "links.txt", ErrorCategory::BadData);
               });
  expect_error(ErrorCategory::InvalidArgument, {"node 1", "9 parts of 1, 1, 1, 1, 1, ... nodes"},
               [] { require_connected(Graph::from_edges(9, {}), "nothing"); });
}

TEST(BreadthFirstSearch, ForgetsTheFormerAnswer) {
  const Graph graph = Graph::from_edges(6, three_parts);
  BreadthFirstSearch search(graph);
  search.run(0);
  search.run(5);
  EXPECT_EQ(std::vector<NodeId>(search.order().begin(), search.order().end()), (std::vector<NodeId>{5, 4}));
  EXPECT_EQ(search.depths()[0], BreadthFirstSearch::unreached);
  EXPECT_EQ(search.parents()[2], BreadthFirstSearch::unreached);
  EXPECT_EQ(search.eccentricity(), 1);
}

TEST(BreadthFirstTree, OfAGridFromItsCorner) {
  const auto tree = breadth_first_tree(make_topology("grid", 6, 0), 0);  // 2 x 3
  EXPECT_EQ(tree.order, (std::vector<NodeId>{0, 1, 3, 2, 4, 5}));
  EXPECT_EQ(tree.parent, (std::vector<NodeId>{0, 0, 1, 0, 1, 2}));
  EXPECT_EQ(tree.depth, (std::vector<std::int32_t>{0, 1, 2, 1, 2, 3}));
  const auto children = tree.children(1);
  EXPECT_EQ(std::vector<NodeId>(children.begin(), children.end()), (std::vector<NodeId>{2, 4}));
  EXPECT_TRUE(tree.children(3).empty());
}

TEST(BreadthFirstTree, DepthIsTheDistanceAndChildrenMirrorParents) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Graph graph = make_topology("barabasi:2", 40, seed);
    const auto distance = floyd_warshall(graph);
    const auto root = static_cast<NodeId>(seed % 40);
    const auto tree = breadth_first_tree(graph, root);
    std::vector<int> times_child(40, 0);
    for (NodeId node = 0; node < 40; ++node) {
      const auto j = static_cast<std::size_t>(node);
      EXPECT_EQ(tree.depth[j], distance[static_cast<std::size_t>(root)][j]);
      EXPECT_EQ(tree.order[static_cast<std::size_t>(tree.rank[j])], node);
      if (node != root) {
        EXPECT_TRUE(graph.linked(node, tree.parent[j]));
        EXPECT_EQ(tree.depth[j], tree.depth[static_cast<std::size_t>(tree.parent[j])] + 1);
      }
      for (const NodeId child : tree.children(node)) {
        EXPECT_EQ(tree.parent[static_cast<std::size_t>(child)], node);
        ++times_child[static_cast<std::size_t>(child)];
      }
    }
    EXPECT_EQ(times_child[static_cast<std::size_t>(root)], 0);
    EXPECT_EQ(std::count(times_child.begin(), times_child.end(), 1), 39);
  }
}

TEST(BreadthFirstTree, OfOneNode) {
  const auto tree = breadth_first_tree(Graph::from_edges(1, {}), 0);
  EXPECT_EQ(tree.order, (std::vector<NodeId>{0}));
  EXPECT_TRUE(tree.children(0).empty());
}

TEST(BreadthFirstTree, NeedsARootThatReachesAll) {
  expect_error(ErrorCategory::InvalidArgument, {"node 7", "from 0 to 3"},
               [] { breadth_first_tree(make_topology("line", 4, 0), 7); });
  expect_error(ErrorCategory::InvalidArgument, {"node -1"},
               [] { breadth_first_tree(make_topology("line", 4, 0), -1); });
  expect_error(ErrorCategory::InvalidArgument, {"tree of node 4", "not connected"},
               [] { breadth_first_tree(Graph::from_edges(6, three_parts), 4); });
}

}  // namespace
}  // namespace choir
