#include "choir/graph/diameter.h"

#include <algorithm>

#include "graph/expect_error.h"

#include "choir/base/rng.h"
#include "choir/graph/topology.h"
#include "choir/graph/traversal.h"

namespace choir {
namespace {

Index largest_eccentricity(const Graph& graph) {
  BreadthFirstSearch search(graph);
  Index largest = 0;
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    search.run(node);
    largest = std::max<Index>(largest, search.eccentricity());
  }
  return largest;
}

TEST(Diameter, OfKnownShapes) {
  const auto exact = [](const char* spec, Index nodes) {
    const Diameter d = diameter(make_topology(spec, nodes, 0));
    EXPECT_TRUE(d.exact);
    EXPECT_EQ(d.lower, d.upper);
    return d.lower;
  };
  EXPECT_EQ(exact("line", 1), 0);
  EXPECT_EQ(exact("line", 2), 1);
  EXPECT_EQ(exact("line", 100), 99);
  EXPECT_EQ(exact("ring:2", 101), 50);
  EXPECT_EQ(exact("ring:4", 100), 25);
  EXPECT_EQ(exact("grid", 35), 4 + 6);
  EXPECT_EQ(exact("torus", 36), 3 + 3);
  EXPECT_EQ(exact("star", 50), 2);
  EXPECT_EQ(exact("complete", 200), 1);
  EXPECT_EQ(exact("tree:2", 15), 6);
}

TEST(Diameter, EqualsTheLargestEccentricityOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (const char* spec : {"erdos:0.05", "barabasi:1", "geometric:0.25"}) {
      const Graph graph = make_topology(spec, 120, seed);
      const Diameter d = diameter(graph);
      EXPECT_TRUE(d.exact);
      EXPECT_EQ(d.lower, largest_eccentricity(graph)) << spec << " seed " << seed;
    }
  }
}

TEST(Diameter, IsExactOnAMillionNodesOfAGridOrATree) {
  const Diameter grid = diameter(make_topology("grid", 1'000'000, 0));
  EXPECT_TRUE(grid.exact);
  EXPECT_EQ(grid.lower, 1998);
  const Diameter tree = diameter(make_topology("tree:3", 1'000'000, 0));
  EXPECT_TRUE(tree.exact);
  EXPECT_EQ(tree.lower, 13 + 12);  // 13 full levels and, below the first subtree, a 14th
}

TEST(Diameter, WithLittleTimeGivesBoundsThatHold) {
  for (const double steps : {0.0, 1e3, 1e4, 1e5}) {
    const Diameter d = diameter(make_topology("ring:2", 1000, 0), {.max_steps = steps});
    EXPECT_LE(d.lower, 500);
    EXPECT_GE(d.upper, 500);
    EXPECT_FALSE(d.exact);
    EXPECT_LT(d.lower, d.upper);
  }
}

TEST(Diameter, NeedsAConnectedGraph) {
  testing::expect_error(ErrorCategory::InvalidArgument, {"not connected"}, [] {
    diameter(Graph::from_edges(3, std::vector<Edge>{{0, 1}}));
  });
}

}  // namespace
}  // namespace choir
