#include "choir/graph/random_graphs.h"

#include <cmath>

#include "graph/expect_error.h"

#include "choir/base/rng.h"
#include "choir/graph/regular.h"
#include "choir/graph/traversal.h"

namespace choir {
namespace {

using testing::expect_error;

TEST(Erdos, HasTheExpectedNumberOfLinks) {
  const Index nodes = 2000;
  const double p = 0.01;
  const double pairs = static_cast<double>(nodes) * static_cast<double>(nodes - 1) / 2;
  const double deviation = std::sqrt(pairs * p * (1 - p));
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto edges = static_cast<double>(erdos_graph(nodes, p, seed).edges());
    EXPECT_NEAR(edges, pairs * p, 5 * deviation);
  }
}

TEST(Erdos, LinksEveryPairEquallyOften) {
  // 10 nodes, 4000 seeds: each of the 45 pairs is linked with p (draws are nearly always connected).
  const Index nodes = 10;
  const double p = 0.7;
  const int seeds = 4000;
  std::vector<int> count(100, 0);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    for (const auto [a, b] : erdos_graph(nodes, p, seed).edge_list()) {
      ++count[static_cast<std::size_t>(10 * a + b)];
    }
  }
  for (std::size_t a = 0; a < 10; ++a) {
    for (std::size_t b = a + 1; b < 10; ++b) {
      EXPECT_NEAR(count[10 * a + b], seeds * p, 5 * std::sqrt(seeds * p * (1 - p))) << a << "-" << b;
    }
  }
}

TEST(Erdos, WithProbabilityOneIsComplete) {
  EXPECT_EQ(erdos_graph(30, 1, 3), complete_graph(30));
  EXPECT_EQ(erdos_graph(1, 0.5, 3).nodes(), 1);
}

TEST(Erdos, RedrawsUntilConnected) {
  // About one draw in seven is connected here; one hundred rounds find it for every seed.
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    EXPECT_TRUE(components(erdos_graph(20, 0.12, seed)).connected());
  }
}

TEST(Erdos, RefusesWhatCannotWork) {
  for (const double p : {0.0, -0.1, 1.1, std::nan("")}) {
    expect_error(ErrorCategory::InvalidArgument, {"erdos:", "above 0 and at most 1"},
                 [&] { erdos_graph(10, p, 0); });
  }
  expect_error(ErrorCategory::InvalidArgument,
               {"erdos:0.0001", "100 nodes", "not connected", "1 drawn", "try erdos:0.087"},
               [] { erdos_graph(100, 0.0001, 0); });
  expect_error(ErrorCategory::InvalidArgument, {"erdos:0.01", "10 nodes", "100 drawn"},
               [] { erdos_graph(10, 0.01, 0); });
  expect_error(ErrorCategory::InvalidArgument, {"not connected"}, [] { erdos_graph(10, 1e-300, 0); });
  expect_error(ErrorCategory::OutOfMemory, {"Erdos", "GiB"}, [] { erdos_graph(2'000'000, 0.9, 0); });
}

TEST(Barabasi, HasTheExactNumberOfLinksAndIsConnected) {
  for (const Index m : {1, 2, 5}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const Graph graph = barabasi_graph(200, m, seed);
      EXPECT_EQ(graph.edges(), m * (200 - m));
      EXPECT_TRUE(components(graph).connected());
      for (NodeId node = static_cast<NodeId>(m + 1); node < 200; ++node) EXPECT_GE(graph.degree(node), m);
    }
  }
  EXPECT_EQ(barabasi_graph(5, 4, 0), star_graph(5));
}

TEST(Barabasi, GrowsHubs) {
  // Degrees fall off like k^-3: the largest is of the order of sqrt(J), far above an even choice's log J.
  const Graph graph = barabasi_graph(20'000, 2, 1);
  Index largest = 0;
  for (NodeId node = 0; node < graph.nodes(); ++node) largest = std::max(largest, graph.degree(node));
  EXPECT_GT(largest, 100);
}

TEST(Barabasi, RefusesTooManyLinks) {
  expect_error(ErrorCategory::InvalidArgument, {"barabasi:10", "10 nodes", "at most 9"},
               [] { barabasi_graph(10, 10, 0); });
  expect_error(ErrorCategory::InvalidArgument, {"barabasi:0"}, [] { barabasi_graph(10, 0, 0); });
}

// The same points, and all pairs compared.
Graph slow_geometric(Index nodes, double radius, std::uint64_t seed) {
  Rng rng(seed, Purpose("topology/geometric"));
  std::vector<double> x;
  std::vector<double> y;
  std::vector<Edge> links;
  for (NodeId b = 0; b < nodes; ++b) {
    x.push_back(rng.uniform());
    y.push_back(rng.uniform());
    for (NodeId a = 0; a < b; ++a) {
      const double dx = x[static_cast<std::size_t>(a)] - x[static_cast<std::size_t>(b)];
      const double dy = y[static_cast<std::size_t>(a)] - y[static_cast<std::size_t>(b)];
      if (std::hypot(dx, dy) <= radius) links.push_back({a, b});
    }
  }
  return Graph::from_edges(nodes, links);
}

TEST(Geometric, LinksExactlyThePairsWithinTheRadius) {
  for (const double radius : {0.2, 0.25, 0.3, 1.0 / 3, 0.5, 0.99, 1.0, 2.0}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Graph slow = slow_geometric(200, radius, seed);
      if (!components(slow).connected()) continue;
      EXPECT_EQ(geometric_graph(200, radius, seed), slow);
    }
  }
  EXPECT_TRUE(components(slow_geometric(200, 0.25, 0)).connected()) << "or nothing was compared";
  EXPECT_EQ(geometric_graph(20, 1.5, 0), complete_graph(20));
}

TEST(Geometric, RefusesWhatCannotWork) {
  expect_error(ErrorCategory::InvalidArgument, {"geometric:0", "above 0"}, [] { geometric_graph(10, 0, 0); });
  expect_error(ErrorCategory::InvalidArgument, {"geometric:-1", "above 0"},
               [] { geometric_graph(10, -1, 0); });
  expect_error(ErrorCategory::InvalidArgument,
               {"geometric:0.001", "1000 nodes", "not connected", "try geometric:0.0"},
               [] { geometric_graph(1000, 0.001, 0); });
  expect_error(ErrorCategory::InvalidArgument, {"not connected"}, [] { geometric_graph(10, 1e-320, 0); });
}

TEST(Advice, NamesParametersThatWork) {
  for (const Index nodes : {2, 3, 5, 10, 30, 100, 1000, 10'000}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      EXPECT_NO_THROW(erdos_graph(nodes, connecting_probability(nodes), seed)) << nodes;
      EXPECT_NO_THROW(geometric_graph(nodes, connecting_radius(nodes), seed)) << nodes;
    }
  }
}

}  // namespace
}  // namespace choir
