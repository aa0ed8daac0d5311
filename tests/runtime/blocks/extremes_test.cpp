#include "choir/runtime/blocks/extremes.h"

#include <cmath>
#include <limits>

#include "graph/expect_error.h"
#include "runtime/blocks/networks.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

Vector mine_of(NodeId node) { return testing::values_of(node, 4, 1).col(0); }

TEST(Extremes, ReachEveryNodeExactlyWithinTheBoundOfTheTree) {
  for (const Graph& graph : small_networks()) {
    Vector largest = mine_of(0);
    Vector smallest = mine_of(0);
    for (NodeId node = 1; node < graph.nodes(); ++node) {
      largest = largest.cwiseMax(mine_of(node)).eval();
      smallest = smallest.cwiseMin(mine_of(node)).eval();
    }
    for (const auto& engine : calm_engines()) {
      const auto high = run_nodes<Vector>(*engine, graph, contract_of("max"), seeded(2), [](Node& node) {
        return max_consensus(node, mine_of(node.id()), 2 * node.tree().height);
      });
      const auto low = run_nodes<Vector>(*engine, graph, contract_of("min"), seeded(2), [](Node& node) {
        return min_consensus(node, mine_of(node.id()), 2 * node.tree().height);
      });
      for (const auto& result : high.results) EXPECT_EQ(*result, largest) << engine->name();
      for (const auto& result : low.results) EXPECT_EQ(*result, smallest) << engine->name();
    }
  }
}

TEST(Extremes, TravelOneHopARound) {
  SimEngine engine;
  const auto outcome =
      run_nodes<Vector>(engine, make_topology("line", 8, 0), contract_of("max"), seeded(2),
                        [](Node& node) { return max_consensus(node, Vector::Constant(1, node.id()), 3); });
  for (NodeId node = 0; node < 8; ++node) {
    EXPECT_EQ((*outcome.results[static_cast<std::size_t>(node)])[0], std::min(7, node + 3));
  }
}

TEST(Extremes, DoNotHideAValueThatIsNotANumber) {
  EXPECT_TRUE(std::isnan(larger(not_a_number, 1)));
  EXPECT_TRUE(std::isnan(larger(1, not_a_number)));
  EXPECT_TRUE(std::isnan(smaller(not_a_number, 1)));
  EXPECT_TRUE(std::isnan(smaller(1, not_a_number)));
  EXPECT_EQ(larger(1, 2), 2);
  EXPECT_EQ(smaller(1, 2), 1);
}

TEST(Extremes, NameTheNeighbourWithAnotherNumberOfValues) {
  SimEngine engine;
  testing::expect_error(ErrorCategory::BadData, {"node 1 sent 2 x 1 values to node 0, which has 1 x 1"}, [&] {
    run_nodes<Vector>(engine, make_topology("line", 2, 0), contract_of("max"), seeded(2),
                      [](Node& node) { return max_consensus(node, Vector::Ones(node.id() + 1), 1); });
  });
}

}  // namespace
}  // namespace choir
