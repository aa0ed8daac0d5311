#include "choir/graph/regular.h"

#include "graph/support.h"

namespace choir {
namespace {

TEST(Ring, LinksEqualNumbersOnEachSide) {
  const Graph graph = ring_graph(10, 4);
  EXPECT_EQ(graph.edges(), 20);
  EXPECT_EQ(neighbours_of(graph, 0), (std::vector<NodeId>{1, 2, 8, 9}));
  EXPECT_EQ(neighbours_of(graph, 5), (std::vector<NodeId>{3, 4, 6, 7}));
  EXPECT_EQ(ring_graph(5, 4), complete_graph(5));
  EXPECT_EQ(ring_graph(3, 2), complete_graph(3));
}

TEST(Ring, RefusesOddCountsAndTooFewNodes) {
  for (const Index degree : {1, 3, 5, 0, -2}) {
    expect_error(ErrorCategory::InvalidArgument, {"ring:", "even"}, [&] { ring_graph(20, degree); });
  }
  expect_error(ErrorCategory::InvalidArgument, {"ring:3", "even", "ring:2"}, [] { ring_graph(3, 3); });
  expect_error(ErrorCategory::InvalidArgument, {"ring:4", "at least 5 nodes", "are 4"},
               [] { ring_graph(4, 4); });
  expect_error(ErrorCategory::InvalidArgument, {"ring:2", "at least 3"}, [] { ring_graph(2, 2); });
}

TEST(Line, IsAPath) {
  EXPECT_EQ(line_graph(4).edge_list(), (std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ(line_graph(1).edges(), 0);
}

TEST(NearSquare, TakesTheDivisorsNextToTheRoot) {
  const auto is = [](Index nodes, Index rows, Index columns) {
    const Rectangle r = near_square(nodes);
    return r.rows == rows && r.columns == columns;
  };
  EXPECT_TRUE(is(1, 1, 1));
  EXPECT_TRUE(is(4, 2, 2));
  EXPECT_TRUE(is(12, 3, 4));
  EXPECT_TRUE(is(100, 10, 10));
  EXPECT_TRUE(is(26, 2, 13));
  EXPECT_TRUE(is(1'000'000, 1000, 1000));
}

TEST(NearSquare, SaysThatAPrimeHasNoRectangle) {
  expect_error(ErrorCategory::InvalidArgument, {"13", "prime", "12 or 14"}, [] { grid_graph(13); });
  expect_error(ErrorCategory::InvalidArgument, {"3 nodes", "prime", "use 4"}, [] { torus_graph(3); });
}

TEST(Grid, LinksTheFourSides) {
  const Graph graph = grid_graph(12);  // 3 x 4
  EXPECT_EQ(graph.edges(), 3 * 3 + 2 * 4);
  EXPECT_EQ(neighbours_of(graph, 0), (std::vector<NodeId>{1, 4}));
  EXPECT_EQ(neighbours_of(graph, 5), (std::vector<NodeId>{1, 4, 6, 9}));
  EXPECT_EQ(neighbours_of(graph, 11), (std::vector<NodeId>{7, 10}));
}

TEST(Torus, HasFourNeighborsEverywhere) {
  const Graph graph = torus_graph(12);
  for (NodeId node = 0; node < 12; ++node) EXPECT_EQ(graph.degree(node), 4);
  EXPECT_EQ(neighbours_of(graph, 0), (std::vector<NodeId>{1, 3, 4, 8}));
}

TEST(Torus, OfTwoRowsIsAPrism) {
  const Graph graph = torus_graph(10);  // 2 x 5
  for (NodeId node = 0; node < 10; ++node) EXPECT_EQ(graph.degree(node), 3);
  EXPECT_EQ(torus_graph(4), grid_graph(4));
}

TEST(Complete, LinksAllPairsOrSaysThatItDoesNotFit) {
  EXPECT_EQ(complete_graph(7).edges(), 21);
  EXPECT_EQ(complete_graph(1).edges(), 0);
  expect_error(ErrorCategory::OutOfMemory, {"complete", "1000000 nodes", "available"},
               [] { complete_graph(1'000'000); });
}

TEST(Star, HasItsCentreAtZero) {
  const Graph graph = star_graph(6);
  EXPECT_EQ(graph.degree(0), 5);
  for (NodeId leaf = 1; leaf < 6; ++leaf) EXPECT_EQ(neighbours_of(graph, leaf), (std::vector<NodeId>{0}));
}

TEST(Star, HasItsCentreAnywhere) {
  const Graph graph = star_graph(4, 2);
  EXPECT_EQ(neighbours_of(graph, 2), (std::vector<NodeId>{0, 1, 3}));
  EXPECT_EQ(graph.edges(), 3);
  expect_error(ErrorCategory::InvalidArgument, {"node 4", "0 to 3"}, [] { star_graph(4, 4); });
}

TEST(Tree, FillsItsLevels) {
  const Graph graph = tree_graph(8, 3);
  EXPECT_EQ(graph.edges(), 7);
  EXPECT_EQ(neighbours_of(graph, 0), (std::vector<NodeId>{1, 2, 3}));
  EXPECT_EQ(neighbours_of(graph, 1), (std::vector<NodeId>{0, 4, 5, 6}));
  EXPECT_EQ(neighbours_of(graph, 7), (std::vector<NodeId>{2}));
  EXPECT_EQ(tree_graph(9, 1), line_graph(9));
  expect_error(ErrorCategory::InvalidArgument, {"tree:0", "tree:2"}, [] { tree_graph(8, 0); });
}

}  // namespace
}  // namespace choir
