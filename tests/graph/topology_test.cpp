#include "choir/graph/topology.h"

#include <algorithm>
#include <cmath>

#include "graph/expect_error.h"
#include "paths.h"

#include "choir/base/rng.h"
#include "choir/graph/random_graphs.h"
#include "choir/graph/regular.h"
#include "choir/graph/traversal.h"

namespace choir {
namespace {

using testing::expect_error;

TEST(MakeTopology, BuildsWhatTheWordsSay) {
  EXPECT_EQ(make_topology("ring:4", 9, 0), ring_graph(9, 4));
  EXPECT_EQ(make_topology("line", 9, 0), line_graph(9));
  EXPECT_EQ(make_topology("grid", 12, 0), grid_graph(12));
  EXPECT_EQ(make_topology("torus", 12, 0), torus_graph(12));
  EXPECT_EQ(make_topology("complete", 9, 0), complete_graph(9));
  EXPECT_EQ(make_topology("star", 9, 0), star_graph(9));
  EXPECT_EQ(make_topology("tree:3", 9, 0), tree_graph(9, 3));
  EXPECT_EQ(make_topology("erdos:0.5", 9, 7), erdos_graph(9, 0.5, 7));
  EXPECT_EQ(make_topology("barabasi:3", 9, 7), barabasi_graph(9, 3, 7));
  EXPECT_EQ(make_topology("geometric:0.6", 9, 7), geometric_graph(9, 0.6, 7));
  const std::string file = "file:" + fixtures_folder() + "/graph/triangle_with_tail.txt";
  EXPECT_EQ(make_topology(file, 0, 0).nodes(), 4);
  EXPECT_EQ(make_topology(file, 4, 0).edges(), 4);
  expect_error(ErrorCategory::BadData, {"triangle_with_tail.txt", "4 nodes", "5 were requested"},
               [&] { make_topology(file, 5, 0); });
}

TEST(MakeTopology, NeedsANodeCountUnlessAFileGivesIt) {
  for (const char* spec : {"ring:2", "line", "grid", "torus", "complete", "star", "tree:2", "erdos:0.5",
                           "barabasi:1", "geometric:0.5"}) {
    SCOPED_TRACE(spec);
    expect_error(ErrorCategory::InvalidArgument, {"0 nodes", "from 1 to"},
                 [&] { make_topology(spec, 0, 0); });
    expect_error(ErrorCategory::InvalidArgument, {"-5 nodes"}, [&] { make_topology(spec, -5, 0); });
  }
}

TEST(MakeTopology, RefusesASpecBuiltByHandThatCountsInFractions) {
  for (const double number : {2.5, 1e19, std::nan("")}) {
    expect_error(ErrorCategory::InvalidArgument, {"tree:", "integer"}, [&] {
      make_topology(TopologySpec{.kind = TopologyKind::tree, .number = number, .path = {}}, 9, 0);
    });
  }
}

std::string random_spec(Rng& rng) {
  switch (rng.below(10)) {
    case 0:
      return fmt::format("ring:{}", 2 * (1 + rng.below(3)));
    case 1:
      return "line";
    case 2:
      return "grid";
    case 3:
      return "torus";
    case 4:
      return "complete";
    case 5:
      return "star";
    case 6:
      return fmt::format("tree:{}", 1 + rng.below(4));
    case 7:
      return fmt::format("erdos:{}", rng.uniform(0.2, 1));
    case 8:
      return fmt::format("barabasi:{}", 1 + rng.below(4));
    default:
      return fmt::format("geometric:{}", rng.uniform(0.4, 1.2));
  }
}

TEST(MakeTopology, IsSimpleSymmetricConnectedAndSeeded) {
  int built = 0;
  for (std::uint64_t trial = 0; trial < 400; ++trial) {
    Rng rng(1, Purpose("test/topology"), 0, trial);
    const std::string spec = random_spec(rng);
    const auto nodes = static_cast<Index>(4 + 2 * rng.below(40));  // even, so that grids exist
    SCOPED_TRACE(fmt::format("{} on {} nodes, trial {}", spec, nodes, trial));
    try {
      const Graph graph = make_topology(spec, nodes, trial);
      ++built;
      EXPECT_EQ(graph.nodes(), nodes);
      EXPECT_TRUE(components(graph).connected());
      EXPECT_EQ(make_topology(spec, nodes, trial), graph);
      for (NodeId a = 0; a < nodes; ++a) {
        const auto list = graph.neighbors(a);
        EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
        EXPECT_EQ(std::adjacent_find(list.begin(), list.end()), list.end());
        for (const NodeId b : list) EXPECT_TRUE(a != b && graph.linked(b, a));
      }
    } catch (const Error& error) {
      EXPECT_EQ(error.category(), ErrorCategory::InvalidArgument) << error.what();
    }
  }
  EXPECT_GT(built, 350);
}

TEST(MakeTopology, AnotherSeedIsAnotherGraph) {
  for (const char* spec : {"erdos:0.3", "barabasi:2", "geometric:0.4"}) {
    EXPECT_NE(make_topology(spec, 50, 0), make_topology(spec, 50, 1)) << spec;
  }
}

// Fixed for good: the same seed is the same graph in every version and on every platform.
TEST(MakeTopology, KeepsItsGraphsForever) {
  EXPECT_EQ(make_topology("erdos:0.4", 6, 1).edge_list(),
            (std::vector<Edge>{{0, 2}, {0, 3}, {0, 4}, {1, 5}, {2, 3}, {2, 4}, {2, 5}, {3, 4}, {3, 5}}));
  EXPECT_EQ(make_topology("barabasi:1", 6, 1).edge_list(),
            (std::vector<Edge>{{0, 1}, {0, 2}, {0, 5}, {2, 3}, {2, 4}}));
  EXPECT_EQ(make_topology("geometric:0.6", 6, 1).edge_list(),
            (std::vector<Edge>{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {1, 3}, {1, 5}, {2, 4}, {3, 5}}));
}

TEST(MakeTopology, ReachesAMillionNodes) {
  const Index million = 1'000'000;
  EXPECT_EQ(make_topology("ring:4", million, 0).edges(), 2 * million);
  EXPECT_EQ(make_topology("line", million, 0).edges(), million - 1);
  EXPECT_EQ(make_topology("grid", million, 0).edges(), 2 * 1000 * 999);
  EXPECT_EQ(make_topology("torus", million, 0).edges(), 2 * million);
  EXPECT_EQ(make_topology("star", million, 0).degree(0), million - 1);
  EXPECT_EQ(make_topology("tree:2", million, 0).edges(), million - 1);
  EXPECT_EQ(make_topology("barabasi:2", million, 0).edges(), 2 * (million - 2));
  const double erdos = static_cast<double>(make_topology("erdos:0.0001", 200'000, 0).edges());
  EXPECT_NEAR(erdos, 2e6, 5 * std::sqrt(2e6));
}

TEST(MakeTopology, ReachesAHundredThousandPointsInSpace) {
  EXPECT_EQ(make_topology(fmt::format("geometric:{}", connecting_radius(100'000)), 100'000, 0).nodes(),
            100'000);
}

}  // namespace
}  // namespace choir
