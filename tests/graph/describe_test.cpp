#include "choir/graph/describe.h"

#include <gtest/gtest.h>

#include "choir/graph/topology.h"

namespace choir {
namespace {

TEST(Describe, AStar) {
  const auto about = describe(make_topology("star", 11, 0));
  EXPECT_EQ(about.nodes, 11);
  EXPECT_EQ(about.edges, 10);
  EXPECT_EQ(about.min_degree, 1);
  EXPECT_EQ(about.max_degree, 10);
  EXPECT_DOUBLE_EQ(about.mean_degree, 20.0 / 11);
  EXPECT_TRUE(about.connected);
  EXPECT_EQ(about.components, 1);
  EXPECT_EQ(about.diameter->lower, 2);
  EXPECT_TRUE(about.diameter->exact);
  EXPECT_NEAR(*about.spectrum.algebraic_connectivity, 1, 1e-12);
  EXPECT_NEAR(*about.spectrum.lambda_max, 11, 1e-12);
}

TEST(Describe, AGraphInPieces) {
  const auto about = describe(Graph::from_edges(5, std::vector<Edge>{{0, 1}, {2, 3}}));
  EXPECT_FALSE(about.connected);
  EXPECT_EQ(about.components, 3);
  EXPECT_EQ(about.min_degree, 0);
  EXPECT_FALSE(about.diameter.has_value());
  EXPECT_FALSE(about.spectrum.spectral_gap.has_value());
}

TEST(Describe, OneNode) {
  const auto about = describe(make_topology("complete", 1, 0));
  EXPECT_EQ(about.max_degree, 0);
  EXPECT_EQ(about.diameter->upper, 0);
  EXPECT_FALSE(about.spectrum.spectral_gap.has_value());
}

TEST(Describe, AMillionNodesStaysWithinReach) {
  const auto about = describe(make_topology("ring:4", 1'000'000, 0));
  EXPECT_LE(about.diameter->lower, 250'000);
  EXPECT_GE(about.diameter->upper, 250'000);
  EXPECT_FALSE(about.spectrum.spectral_gap.has_value());
}

}  // namespace
}  // namespace choir
