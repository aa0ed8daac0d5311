#include "choir/learn/central/yardsticks.h"

#include "learn/central/toy.h"
#include <Eigen/QR>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/graph/topology.h"

namespace choir {
namespace {

using testing_toys::falling_scales;

enum class SeenFrom { own_mean, common_mean };

struct Network {
  std::vector<Samples> shards;
  Samples all;
  Graph graph;
  central_kpca::Options options;
  central_kpca::Fit central;

  Network(Index nodes, Index each, const char* topology, Kernel kernel = {.gamma = 0.05})
      : all(falling_scales(5, nodes * each)), graph(make_topology(topology, nodes, 0)) {
    for (Index j = 0; j < nodes; ++j) shards.push_back(all.middleCols(j * each, each));
    options.kernel = kernel;
    options.n_components.count = 3;
    options.tol = 1e-12;
    central = fit_central_kpca(all, options);
  }
  Yardsticks measure(SeenFrom where, int threads = 1) const {
    YardstickOptions yardsticks{.kernel = options.kernel};
    if (where == SeenFrom::common_mean) yardsticks.mean = exact_mean(central);
    return compute_yardsticks(shards, graph, central, yardsticks, {.threads = threads});
  }
};

class YardsticksCentred : public ::testing::TestWithParam<SeenFrom> {};
INSTANTIATE_TEST_SUITE_P(Centrings, YardsticksCentred,
                         ::testing::Values(SeenFrom::own_mean, SeenFrom::common_mean));

TEST_P(YardsticksCentred, NobodyInTheSpanBeatsTheOracle) {
  const Network network(8, 40, "ring:2");
  const Yardsticks y = network.measure(GetParam());
  EXPECT_TRUE((y.local.array() <= y.oracle.array() + 1e-10).all());
  EXPECT_TRUE((y.gather_own.array() <= y.oracle.array() + 1e-10).all());
  EXPECT_TRUE((y.oracle.array() <= 1 + 1e-10).all());
  EXPECT_TRUE((y.oracle.array() > 0.5).all()) << y.oracle;
}

TEST_P(YardsticksCentred, GatheringEverythingIsTheCentralAnswerUpToTheMean) {
  const Network network(4, 50, "complete");
  const Yardsticks y = network.measure(GetParam());
  // With the global mean the pooled neighbourhood is the whole problem; with each shard's own it nearly is.
  const double tolerance = GetParam() == SeenFrom::common_mean ? 1e-9 : 0.05;
  EXPECT_TRUE((y.gather_neighborhood.array() >= 1 - tolerance).all()) << y.gather_neighborhood;
}

TEST_P(YardsticksCentred, OneNodeWithEverythingIsPerfect) {
  const Network network(1, 60, "complete");
  const Yardsticks y = network.measure(GetParam());
  for (const Matrix* m : {&y.local, &y.gather_own, &y.gather_neighborhood}) {
    EXPECT_TRUE(((m->array() - 1).abs() < 1e-8).all()) << *m;
  }
  EXPECT_TRUE(((y.oracle.array() - 1).abs() < 1e-6).all()) << y.oracle;
}

TEST(Yardsticks, AgreeWithExplicitProjectionsForALinearKernel) {
  const Network network(6, 4, "ring:2", {.kind = KernelKind::linear});
  const Yardsticks y = network.measure(SeenFrom::own_mean);
  const Matrix centred = network.all.colwise() - network.all.rowwise().mean();
  const Matrix directions =
      centred * network.central.scores * network.central.model.eigenvalues.cwiseInverse().asDiagonal();
  for (Index j = 0; j < 6; ++j) {
    const Samples& shard = network.shards[static_cast<std::size_t>(j)];
    const Matrix own = shard.colwise() - shard.rowwise().mean();
    const Eigen::CompleteOrthogonalDecomposition<Matrix> span(own);
    for (Index d = 0; d < 3; ++d) {
      const Vector projected = own * span.solve(directions.col(d));
      EXPECT_NEAR(y.oracle(j, d), projected.norm(), 1e-8);
    }
  }
}

TEST(Yardsticks, DoNotDependOnTheNumberOfThreads) {
  const Network network(8, 30, "ring:4");
  const Yardsticks one = network.measure(SeenFrom::own_mean, 1);
  const Yardsticks many = network.measure(SeenFrom::own_mean, 3);
  EXPECT_TRUE(one.oracle == many.oracle);
  EXPECT_TRUE(one.gather_own == many.gather_own);
}

TEST(Yardsticks, RefuseWhatDoesNotBelongTogether) {
  Network network(4, 20, "ring:2");
  network.shards.pop_back();
  EXPECT_THROW(network.measure(SeenFrom::own_mean), Error);
}

TEST(Yardsticks, ANodeWithTooFewSamplesHasNoAnswerOfItsOwn) {
  const Network network(20, 3, "ring:2");
  const Yardsticks yardsticks = network.measure(SeenFrom::own_mean);
  EXPECT_TRUE(yardsticks.local.array().isNaN().all());
  EXPECT_TRUE((yardsticks.oracle.array() >= 0).all());
}

}  // namespace
}  // namespace choir
