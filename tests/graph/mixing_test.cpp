#include "choir/graph/mixing.h"

#include <numeric>

#include <gtest/gtest.h>

#include "choir/graph/topology.h"

namespace choir {
namespace {

double weight(const Graph& graph, const MetropolisWeights& weights, NodeId from, NodeId to) {
  const auto list = graph.neighbors(from);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == to) return weights.links(graph, from)[i];
  }
  return from == to ? weights.self[static_cast<std::size_t>(from)] : 0;
}

TEST(MetropolisWeights, OfAPathByHand) {
  const Graph graph = make_topology("line", 3, 0);
  const auto weights = metropolis_weights(graph);
  EXPECT_DOUBLE_EQ(weight(graph, weights, 0, 1), 1.0 / 3);
  EXPECT_DOUBLE_EQ(weights.self[0], 2.0 / 3);
  EXPECT_DOUBLE_EQ(weights.self[1], 1.0 / 3);
  EXPECT_EQ(weight(graph, weights, 0, 2), 0);
}

TEST(MetropolisWeights, OfOneNodeKeepEverything) {
  EXPECT_EQ(metropolis_weights(Graph::from_edges(1, {})).self, (std::vector<double>{1}));
}

TEST(MetropolisWeights, AreSymmetricAndDoublyStochastic) {
  for (const char* spec :
       {"ring:4", "star", "grid", "complete", "erdos:0.2", "barabasi:2", "geometric:0.4"}) {
    SCOPED_TRACE(spec);
    const Graph graph = make_topology(spec, 60, 5);
    const auto weights = metropolis_weights(graph);
    for (NodeId a = 0; a < 60; ++a) {
      const auto links = weights.links(graph, a);
      const double self = weights.self[static_cast<std::size_t>(a)];
      EXPECT_NEAR(std::accumulate(links.begin(), links.end(), self), 1, 1e-14);
      EXPECT_GT(self, 0);
      for (const NodeId b : graph.neighbors(a)) {
        EXPECT_GT(weight(graph, weights, a, b), 0);
        EXPECT_EQ(weight(graph, weights, a, b), weight(graph, weights, b, a));
      }
    }
  }
}

TEST(MetropolisWeights, AverageToTheMean) {
  const Graph graph = make_topology("barabasi:2", 30, 2);
  const auto weights = metropolis_weights(graph);
  std::vector<double> values(30);
  std::iota(values.begin(), values.end(), 0.0);
  for (int round = 0; round < 500; ++round) {
    std::vector<double> next(30);
    for (NodeId a = 0; a < 30; ++a) {
      for (NodeId b = 0; b < 30; ++b) {
        next[static_cast<std::size_t>(a)] +=
            weight(graph, weights, a, b) * values[static_cast<std::size_t>(b)];
      }
    }
    values = next;
  }
  for (const double value : values) EXPECT_NEAR(value, 14.5, 1e-9);
}

}  // namespace
}  // namespace choir
