#include "choir/graph/graph.h"

#include <algorithm>
#include <set>

#include "graph/support.h"

#include "choir/base/rng.h"

namespace choir {
namespace {

TEST(Graph, HoldsEachLinkOnBothSidesSorted) {
  const std::vector<Edge> links = {{3, 1}, {0, 1}, {1, 2}};
  const Graph graph = Graph::from_edges(4, links);
  EXPECT_EQ(graph.nodes(), 4);
  EXPECT_EQ(graph.edges(), 3);
  EXPECT_EQ(neighbours_of(graph, 1), (std::vector<NodeId>{0, 2, 3}));
  EXPECT_EQ(neighbours_of(graph, 3), (std::vector<NodeId>{1}));
  EXPECT_TRUE(graph.linked(3, 1));
  EXPECT_FALSE(graph.linked(0, 3));
  EXPECT_EQ(graph.edge_list(), (std::vector<Edge>{{0, 1}, {1, 2}, {1, 3}}));
}

TEST(Graph, CountsARepeatedLinkOnce) {
  const std::vector<Edge> links = {{0, 1}, {1, 0}, {0, 1}, {1, 2}};
  const Graph graph = Graph::from_edges(3, links);
  EXPECT_EQ(graph.edges(), 2);
  EXPECT_EQ(graph.degree(0), 1);
  EXPECT_EQ(graph.degree(1), 2);
  EXPECT_EQ(neighbours_of(graph, 2), (std::vector<NodeId>{1}));
}

TEST(Graph, ANodeAloneHasNoNeighbors) {
  const Graph graph = Graph::from_edges(1, {});
  EXPECT_EQ(graph.nodes(), 1);
  EXPECT_EQ(graph.edges(), 0);
  EXPECT_TRUE(graph.neighbors(0).empty());
}

TEST(Graph, MatchesASetOfPairsOnRandomLinks) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng rng(seed, Purpose("test/graph"));
    const auto nodes = static_cast<Index>(2 + rng.below(30));
    std::vector<Edge> links;
    std::set<std::pair<NodeId, NodeId>> truth;
    for (std::uint64_t i = rng.below(100); i > 0; --i) {
      const auto a = static_cast<NodeId>(rng.below(static_cast<std::uint64_t>(nodes)));
      const auto b = static_cast<NodeId>(rng.below(static_cast<std::uint64_t>(nodes)));
      if (a == b) continue;
      links.push_back({a, b});
      truth.insert({a, b});
      truth.insert({b, a});
    }
    const Graph graph = Graph::from_edges(nodes, links);
    EXPECT_EQ(2 * graph.edges(), static_cast<Index>(truth.size()));
    Index degrees = 0;
    std::vector<std::vector<NodeId>> lists;
    for (NodeId a = 0; a < nodes; ++a) {
      degrees += graph.degree(a);
      lists.push_back(neighbours_of(graph, a));
      EXPECT_TRUE(std::is_sorted(lists.back().begin(), lists.back().end()));
      for (NodeId b = 0; b < nodes; ++b) EXPECT_EQ(graph.linked(a, b), truth.contains({a, b}));
    }
    EXPECT_EQ(degrees, 2 * graph.edges()) << "handshake lemma";
    EXPECT_EQ(Graph::from_neighbor_lists(lists), graph);
    EXPECT_EQ(Graph::from_edges(nodes, graph.edge_list()), graph);
  }
}

TEST(Graph, RefusesWhatIsNotASimpleGraph) {
  using Links = std::vector<Edge>;
  expect_error(ErrorCategory::InvalidArgument, {"node 5", "from 0 to 2"}, [] {
    Graph::from_edges(3, Links{{0, 5}});
  });
  expect_error(ErrorCategory::InvalidArgument, {"node -1"}, [] { Graph::from_edges(3, Links{{-1, 0}}); });
  expect_error(ErrorCategory::InvalidArgument, {"node 2", "itself"}, [] {
    Graph::from_edges(3, Links{{2, 2}});
  });
  expect_error(ErrorCategory::InvalidArgument, {"0 nodes"}, [] { Graph::from_edges(0, {}); });
  expect_error(ErrorCategory::InvalidArgument, {"3000000000 nodes"},
               [] { Graph::from_edges(3'000'000'000, {}); });
}

TEST(Graph, RefusesALinkListedOnOneSideOnly) {
  const std::vector<std::vector<NodeId>> lists = {{1}, {0, 2}, {}};
  expect_error(ErrorCategory::InvalidArgument,
               {"not symmetric", "node 1 lists node 2", "node 2 does not list node 1"},
               [&] { Graph::from_neighbor_lists(lists); });
}

TEST(Graph, SaysHowMuchMemoryWouldBeNeeded) {
  expect_error(ErrorCategory::OutOfMemory, {"complete", "1000000 nodes", "TiB"},
               [] { require_graph_memory("the complete graph", 1e6, 1e12); });
}

}  // namespace
}  // namespace choir
