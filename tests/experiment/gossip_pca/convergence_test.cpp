#include "choir/experiment/gossip_pca/convergence.h"

#include <gtest/gtest.h>

namespace choir {
namespace {

class ConvergenceTest : public ::testing::Test {
 protected:
  static constexpr double beyond_the_end = 1000;

  Curve curve_of(const GossipMethod& method) const {
    return follow(network_, yardstick_, method, {.points = {0, 5, beyond_the_end}, .ticks = 10});
  }

  const GossipNetwork network_ = gaussian_network({.nodes = 6, .features = 10, .samples = 60, .rank = 4}, 3);
  const gossip_pca::Yardstick yardstick_ = yardstick_of(network_, 2);
};

TEST_F(ConvergenceTest, TheLastPointIsWhatTheFitEndsWith) {
  for (const GossipMethod& method : {default_gossip(2), printed_gossip(2)}) {
    const Curve curve = curve_of(method);
    ASSERT_EQ(curve.points.size(), 3U);
    const gossip_pca::Quality quality = yardstick_.measure(curve.fit);
    EXPECT_NEAR(curve.points.back().errors.error, quality.error_relative, 1e-9);
    EXPECT_NEAR(curve.points.back().errors.mean_error, quality.mean_error, 1e-9);
    for (const auto& node : curve.fit.nodes) EXPECT_GE(node->counts.sent, 10U);
    EXPECT_GT(curve.points[1].errors.error, curve.points.back().errors.error);
  }
}

TEST_F(ConvergenceTest, TheFirstPointIsWhatNodesKnowAlone) {
  double alone = 0;
  for (const Samples& shard : network_.shards) {
    const gossip_pca::Yardstick own(shard, 2);
    alone += yardstick_.error({own.mean(), own.directions(), own.eigenvalues().head(2)}) / 6;
  }
  EXPECT_NEAR(curve_of(default_gossip(2)).points.front().errors.error, alone, 1e-9);
}

TEST_F(ConvergenceTest, WatchingDoesNotChangeTheRun) {
  GossipMethod method = default_gossip(2);
  method.options.messages_per_node = 10;
  const gossip_pca::Fit unseen = run_gossip(network_, method.options, swift_network(), {});
  const Curve seen = curve_of(method);
  EXPECT_EQ(unseen.at(4).directions, seen.fit.at(4).directions);
}

TEST_F(ConvergenceTest, ErrorsOfManyNodesComeFromAHundredOfThem) {
  const gossip_pca::Summary own = summary_of_samples(network_.shards[0], rule_of(default_gossip(2).options));
  NodeSummaries nodes(1000, own);
  const double one = errors_of({own}, yardstick_, default_gossip(2), 1).error;
  for (std::size_t node = 0; node < 1000; node += 10) nodes[node].reset();  // as if crashed
  EXPECT_NEAR(errors_of(nodes, yardstick_, default_gossip(2), 2).error, one, 1e-12);
}

}  // namespace
}  // namespace choir
