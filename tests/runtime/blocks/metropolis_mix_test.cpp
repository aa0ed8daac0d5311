#include "choir/runtime/blocks/metropolis_mix.h"

#include "graph/expect_error.h"
#include "runtime/blocks/networks.h"
#include <gtest/gtest.h>

#include "choir/graph/spectrum.h"

namespace choir {
namespace {

Task<Matrix> mix_once(Node& node, Matrix x) {
  const MetropolisMix mix = co_await learn_metropolis_mix(node);
  Message mine(Kind::own_statistics);
  mine.array(Array(x));
  const Inbox inbox = co_await node.exchange(mine, node.deadline());
  co_return mix.apply(node, x, inbox);
}

TEST(MetropolisMix, IsAProductWithTheMetropolisMatrix) {
  for (const Graph& graph : testing::small_networks()) {
    const Matrix w = metropolis_matrix(graph);
    for (const auto& engine : testing::calm_engines()) {
      const auto outcome = run_nodes<Matrix>(*engine, graph, contract_of("mix"), seeded(1),
                                             [](Node& node) { return mix_once(node, values_of(node.id())); });
      for (NodeId node = 0; node < graph.nodes(); ++node) {
        Matrix truth = Matrix::Zero(3, 2);
        for (NodeId other = 0; other < graph.nodes(); ++other) truth += w(node, other) * values_of(other);
        EXPECT_LT((*outcome.results[static_cast<std::size_t>(node)] - truth).norm(), 1e-14);
      }
    }
  }
}

Task<std::vector<double>> weights_of(Node& node) {
  const MetropolisMix mix = co_await learn_metropolis_mix(node);
  std::vector<double> weights;
  for (std::size_t k = 0; k < node.neighbors().size(); ++k)
    weights.push_back(mix.weight(static_cast<Index>(k)));
  co_return weights;
}

TEST(MetropolisMix, TellsTheWeightsOfTheLinks) {
  for (const Graph& graph : testing::small_networks()) {
    const Matrix w = metropolis_matrix(graph);
    SimEngine engine;
    const auto outcome =
        run_nodes<std::vector<double>>(engine, graph, contract_of("mix"), seeded(1), weights_of);
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      std::vector<double> truth;
      for (const NodeId other : graph.neighbors(node)) truth.push_back(w(node, other));
      EXPECT_EQ(*outcome.results[static_cast<std::size_t>(node)], truth);
    }
  }
}

TEST(MetropolisMix, GivesTheWeightOfALostNeighbourBackToItsOtherEnds) {
  SimEngine engine(testing::without(2));
  const auto outcome =
      run_nodes<Matrix>(engine, make_topology("complete", 3, 0), contract_of("mix"),
                        seeded(1, std::chrono::seconds(1), LostPeers::proceed),
                        [](Node& node) { return mix_once(node, Matrix::Constant(1, 1, node.id())); });
  EXPECT_NEAR((*outcome.results[0])(0, 0) + (*outcome.results[1])(0, 0), 1, 1e-15);
}

TEST(MetropolisMix, NamesTheNeighbourOfAnotherShape) {
  SimEngine engine;
  testing::expect_error(ErrorCategory::BadData, {"node 1 sent 2 x 1 values to node 0, which has 1 x 1"}, [&] {
    run_nodes<Matrix>(engine, make_topology("line", 2, 0), contract_of("mix"), seeded(1),
                      [](Node& node) { return mix_once(node, Matrix::Ones(node.id() + 1, 1)); });
  });
}

}  // namespace
}  // namespace choir
