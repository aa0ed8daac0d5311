// The same bits on the ranks of an MPI job as in the simulator.
#include "learn/federated_kmeans/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/regular.h"
#include "choir/runtime/mpi/mpi_engine.h"

namespace choir::federated_kmeans {
namespace {

constexpr Index devices = 5;
constexpr NodeId server = devices;

TEST(FederatedKmeansOverMpi, HasTheSimulatorsBits) {
  const std::vector<Samples> shards = testing::dealt(testing::clusters(500, 4, 6, 3).samples, devices);
  MpiEngine engine;
  const NodeRange own = engine.own_nodes(devices + 1);
  const std::vector<Samples> here(shards.begin() + own.first, shards.begin() + std::min(own.last, server));
  for (const Embedding embedding : {Embedding::nystroem, Embedding::fea, Embedding::random_features}) {
    Options options;
    options.clusters = 4;
    options.embedding = embedding;
    options.landmarks = 25;
    options.random_features = 40;
    options.fea_iterations = 3;
    options.preprocessing.standardize = Standardize::zscore;
    const Fit simulated = testing::simulate(shards, options);
    const Fit real =
        fit_federated_kmeans(engine, star_graph(devices + 1, server), here, options, {.seed = 1});
    for (NodeId node = own.first; node < own.last; ++node) {
      EXPECT_EQ(real.at(node).labels, simulated.at(node).labels);
      EXPECT_EQ(real.at(node).model.centroids, simulated.at(node).model.centroids);
      EXPECT_EQ(real.at(node).inertia, simulated.at(node).inertia);
    }
    for (const Kind kind : all_kinds) {
      EXPECT_EQ(real.report.ledger.total(kind).bytes, simulated.report.ledger.total(kind).bytes);
    }
  }
}

}  // namespace
}  // namespace choir::federated_kmeans
