// The same bits on the ranks of an MPI job as in the simulator, whatever the form of consensus, and whatever
// nodes keep.
#include "learn/online_kernel/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/runtime/mpi/mpi_engine.h"

namespace choir::online_kernel {
namespace {

constexpr Index nodes = 5;

TEST(OnlineKernelOverMpi, HasTheSimulatorsBits) {
  std::vector<TargetedSamples> data = testing::permuted(testing::Mixtures(3).draw(300, 1), nodes, 2);
  data[1] = testing::first_of(data[1], 50);
  data[4] = testing::first_of(data[4], 0);
  MpiEngine engine;
  const Graph graph = make_topology("ring:2", nodes, 0);
  const NodeRange own = engine.own_nodes(nodes);
  std::vector<Options> all;
  for (const Consensus consensus :
       {Consensus::diffusion, Consensus::symmetric, Consensus::penalty, Consensus::none}) {
    all.push_back(testing::mixture_options(consensus));
  }
  for (const Representation features : {Representation::random_features, Representation::landmarks}) {
    all.push_back(testing::mixture_options(Consensus::diffusion));
    all.back().representation = features;
    all.back().n_features = all.back().n_landmarks = 20;
  }
  for (Options& options : all) {
    options.gamma = parse_gamma("scale");
    const Fit simulated = testing::simulate(data, options, "ring:2");
    const std::vector<TargetedSamples> here(data.begin() + own.first, data.begin() + own.last);
    const Fit real = fit_online_kernel(engine, graph, testing::streams_of(here), options, {.seed = 1});
    for (NodeId node = own.first; node < own.last; ++node) {
      testing::expect_same(real.at(node).state, simulated.at(node).state);
    }
    for (const Kind kind : all_kinds) {
      EXPECT_EQ(real.report.ledger.total(kind).bytes, simulated.report.ledger.total(kind).bytes);
    }
  }
}

}  // namespace
}  // namespace choir::online_kernel
