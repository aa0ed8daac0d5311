// Real asynchrony in one process: small, because the thread sanitizer runs it too.
#include "learn/gossip_pca/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/learn/gossip_pca/quality.h"
#include "choir/runtime/engines.h"

namespace choir::gossip_pca {
namespace {

using std::chrono::milliseconds;

TEST(GossipPca, ThreadsEndWithTheSameSubspaceAsTheSimulator) {
  const Samples samples = low_rank_samples(30, 6, 800, 1);
  const Yardstick yardstick(samples, 6);
  Options options = plain_options(6, 60);
  options.interval = milliseconds(1);
  const auto engine = make_engine("local", {.threads = 2});
  const Graph graph = make_topology("complete", 12, 0);
  const Fit fit = fit_gossip_pca(*engine, graph, dealt(samples, 12), options);
  EXPECT_LT(yardstick.measure(fit).error_relative, 1e-6);
  EXPECT_NEAR(yardstick.measure(fit).mass, 1, 1e-12);
}

}  // namespace
}  // namespace choir::gossip_pca
