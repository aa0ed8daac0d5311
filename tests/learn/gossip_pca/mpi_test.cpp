// Real asynchrony: 32 nodes on the ranks of an MPI job, each sending when its own clock fires.
#include "learn/gossip_pca/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/learn/gossip_pca/quality.h"
#include "choir/metrics/subspace.h"
#include "choir/runtime/mpi/mpi_engine.h"
#include "choir/runtime/process_group.h"

namespace choir::gossip_pca {
namespace {

constexpr Index nodes = 32;

std::vector<Samples> own_of(const std::vector<Samples>& shards, const NodeRange& own) {
  return {shards.begin() + own.first, shards.begin() + own.last};
}

TEST(GossipPcaOverMpi, EndsWithTheSimulatorsSubspace) {
  MpiEngine engine;
  const Samples samples = testing::low_rank_samples(40, 8, 1600, 1);
  const std::vector<Samples> shards = testing::dealt(samples, nodes);
  Options options = testing::plain_options(8, 60);
  options.mean_interval = std::chrono::milliseconds(5);
  const Graph graph = make_topology("complete", nodes, 0);
  const NodeRange own = engine.own_nodes(nodes);
  const Fit real = fit_gossip_pca(engine, graph, own_of(shards, own), options, {.seed = 1});
  const Fit simulated = testing::simulate(shards, options);
  const Yardstick yardstick(samples, 8);
  const Quality accuracy = yardstick.measure(simulated);
  for (NodeId node = own.first; node < own.last; ++node) {
    EXPECT_LT(subspace_error(real.at(node).directions, simulated.at(node).directions), 1e-9);
    const Principal answer{
        .mean = {}, .directions = real.at(node).directions, .variances = real.at(node).variances};
    EXPECT_LT(yardstick.error(answer), 1e-6) << "simulated: " << accuracy.error_relative;
    EXPECT_EQ(real.at(node).participants, nodes);
  }
  double here = 0;
  for (NodeId node = own.first; node < own.last; ++node) here += real.at(node).weight;
  double left = 0;
  for (const double there : ProcessGroup(engine).tell_all(Kind::summaries, here)) left += there;
  EXPECT_NEAR(left, 1600, 1e-3);
}

}  // namespace
}  // namespace choir::gossip_pca
