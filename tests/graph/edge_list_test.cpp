#include "choir/graph/edge_list.h"

#include "graph/expect_error.h"
#include "paths.h"

#include "choir/graph/topology.h"

namespace choir {
namespace {

using testing::expect_error;

Graph parse(std::string_view text, Index nodes = 0) { return parse_graph(text, "links.txt", nodes); }

void expect_bad(std::string_view text, std::initializer_list<const char*> words, Index nodes = 0) {
  SCOPED_TRACE(text);
  expect_error(ErrorCategory::BadData, {"links.txt"}, [&] { parse(text, nodes); });
  expect_error(ErrorCategory::BadData, words, [&] { parse(text, nodes); });
}

const Graph triangle_with_tail = Graph::from_edges(4, std::vector<Edge>{{0, 1}, {1, 2}, {0, 2}, {2, 3}});

TEST(EdgeList, IsUndirectedAndForgiving) {
  EXPECT_EQ(parse("0 1\n1 2\n0 2\n2 3\n"), triangle_with_tail);
  EXPECT_EQ(parse("# who\n\n1 0\n2,1  # back\r\n2\t0\n0 2\n3, 2"), triangle_with_tail);
  EXPECT_EQ(parse("nodes 4\n0 1\n1 2\n0 2\n2 3\n", 4), triangle_with_tail);
  EXPECT_EQ(parse("source target\n0 1\n1 2\n0 2\n2 3\n", 4), triangle_with_tail);
}

TEST(EdgeList, RoundTrips) {
  EXPECT_EQ(parse(format_edge_list(triangle_with_tail)), triangle_with_tail);
  const Graph alone = Graph::from_edges(1, {});
  EXPECT_EQ(parse(format_edge_list(alone)), alone);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Graph graph = make_topology("erdos:0.3", 25, seed);
    EXPECT_EQ(parse(format_edge_list(graph), 25), graph);
  }
}

TEST(EdgeList, NamesTheLineOfWhatIsWrong) {
  expect_bad("0 1\n1 1\n", {"line 2", "node 1 to itself"});
  expect_bad("0 1\n# fine\n1 4\n", {"line 3", "node 4", "from 0 to 2"}, 3);
  expect_bad("nodes 3\n0 1\n1 3\n", {"line 3", "node 3", "from 0 to 2"});
  expect_bad("0 1\n-1 2\n", {"line 2", "node -1"});
  expect_bad("0 1\n1 x\n", {"line 2", "'x'", "id"});
  expect_bad("0 1\n1 2.5\n", {"line 2", "'2.5'", "non-negative integer"});
  expect_bad("0 1\n1\n", {"line 2", "1 fields", "two ids"});
  expect_bad("0 1\n1 2 3\n", {"line 2", "3 fields"});
  expect_bad("0 99999999999\n", {"line 1", "99999999999"});
  expect_bad("0 9223372036854775808\n", {"line 1", "id"});
  expect_bad("0 1\nsource target\n", {"line 2", "'source'"});
  expect_bad("one 1\n0 1\n", {"line 1", "'one'"});
  expect_bad("nodes many\n0 1\n", {"line 1", "'many'"});
  expect_bad("nodes 0\n0 1\n", {"line 1", "'0'"});
  expect_bad("0 1\n1 \x01\xff\n", {"line 2", "'\?\?'"});
}

TEST(EdgeList, NeedsTheRightNumberOfNodes) {
  expect_bad("nodes 4\n0 1\n", {"line 1 says 4 nodes", "3 were requested"}, 3);
  expect_bad("0 1\n1 2\n", {"name 3 nodes", "5 were requested"}, 5);
  expect_error(ErrorCategory::InvalidArgument, {"-1 nodes"}, [] { parse("0 1", -1); });
}

TEST(EdgeList, NeedsAConnectedGraph) {
  expect_bad("0 1\n2 3\n", {"not connected", "node 2", "2 parts of 2 and 2 nodes"});
  expect_bad("0 1\n3 1\n", {"not connected", "names node 2"});
  expect_bad("nodes 4\n0 1\n1 2\n", {"not connected", "names node 3", "0 to 3"});
}

TEST(EdgeList, DoesNotAllocateForAVastId) {
  expect_bad("0 2147483646\n", {"names node 1"});
  expect_bad("nodes 2147483647\n0 1\n", {"names node 2"});
}

TEST(EdgeList, NeedsALink) {
  expect_bad("", {"no links"});
  expect_bad("# nothing\n\n  \n", {"no links"});
  expect_bad("nodes 3\n", {"no links"});
}

TEST(AdjacencyMatrix, GivesTheSameGraph) {
  const char* text = "0 1 1 0\n1 0 1 0\n1 1 0 1\n0 0 1 0\n";
  EXPECT_EQ(parse(text), triangle_with_tail);
  EXPECT_EQ(parse(text, 4), triangle_with_tail);
  EXPECT_EQ(parse("nodes 3\n0,1,0\n1,0,1\n0,1,0\n"), make_topology("line", 3, 0));
}

TEST(AdjacencyMatrix, OfTwoNodesReadsTheSameAsAList) {
  EXPECT_EQ(parse("0 1\n1 0\n"), make_topology("line", 2, 0));
}

TEST(AdjacencyMatrix, NamesThePairThatIsNotSymmetric) {
  expect_bad("# m\n0 1 1\n1 0 0\n0 0 0\n",
             {"not symmetric", "line 2", "node 0 to node 2", "line 4", "node 2 to node 0"});
}

TEST(AdjacencyMatrix, NamesTheLineOfWhatIsWrong) {
  expect_bad("0 1 0\n1 1 1\n0 1 0\n", {"line 2", "node 1 to itself", "diagonal"});
  expect_bad("0 1 0\n1 0 1 0\n0 1 0\n", {"line 2", "4 entries", "3 x 3"});
  expect_bad("0 1 0\n1 0 1\n", {"3 columns", "2 rows"});
  expect_bad("0 1 0\n1 0 1\n0 1 0\n0 0 0\n", {"line 4", "row 4", "3 x 3"});
  expect_bad("0 1 0.5\n", {"line 1", "'0.5'", "0 or 1"});
  expect_bad("0 1 0\n1 0 1\n0 1 0\n", {"has 3 nodes", "4 were requested"}, 4);
  expect_bad("nodes 4\n0 1 0\n1 0 1\n0 1 0\n", {"says 4 nodes", "has 3"});
  expect_bad("0 1 0\n1 0 0\n0 0 0\n", {"not connected", "node 2"});
}

TEST(GraphFile, IsReadFromDisk) {
  const std::string folder = fixtures_folder() + "/graph/";
  EXPECT_EQ(read_graph_file(folder + "triangle_with_tail.txt"), triangle_with_tail);
  EXPECT_EQ(read_graph_file(folder + "triangle_with_tail_matrix.txt", 4), triangle_with_tail);
  expect_error(ErrorCategory::BadData, {"disconnected.txt", "not connected", "node 3"},
               [&] { read_graph_file(folder + "disconnected.txt"); });
  expect_error(ErrorCategory::BadData, {"empty.txt", "no links"},
               [&] { read_graph_file(folder + "empty.txt"); });
}

TEST(GraphFile, ThatCannotBeReadIsNamed) {
  const std::string folder = fixtures_folder() + "/graph/";
  expect_error(ErrorCategory::Io, {"missing.txt", "cannot be read"},
               [&] { read_graph_file(folder + "missing.txt"); });
  expect_error(ErrorCategory::Io, {"graph", "cannot be read"}, [&] { read_graph_file(folder); });
}

}  // namespace
}  // namespace choir
