#include "choir/learn/features/random_totals.h"

#include "learn/central/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/kernel/gram.h"
#include "choir/learn/features/safe_total.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

using testing_toys::falling_scales;

const Kernel slow_rbf{.kind = KernelKind::rbf, .gamma = 0.05};

std::vector<FeatureMap> agreed(const Samples& samples, Index count, std::uint64_t seed) {
  const Contract contract{.method = "random features",
                          .kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
  const Index each = samples.cols() / 3;
  SimEngine engine;
  const auto outcome = run_nodes<FeatureMap>(
      engine, make_topology("line", 3, 0), contract, {.seed = seed}, [&](Node& node) -> Task<FeatureMap> {
        SecureSums sums = co_await open_secure_sums(node);
        const Array shard(Samples(samples.middleCols(each * node.id(), each)));
        const RandomTotals wanted{.count = count};
        const FeatureMap map = co_await agreed_random_features(node, sums, shard, slow_rbf, wanted);
        co_return map;
      });
  std::vector<FeatureMap> all;
  for (const auto& node : outcome.results) all.push_back(*node);
  return all;
}

TEST(RandomTotals, AreTheSameAtAllNodesWhateverTheSeedOfTheRun) {
  const Samples samples = falling_scales(6, 300);
  const std::vector<FeatureMap> maps = agreed(samples, 400, 1);
  for (const FeatureMap& map : maps) {
    EXPECT_EQ(map.random, maps[0].random);
    EXPECT_EQ(map.reduction->matrix(), maps[0].reduction->matrix());
  }
  EXPECT_EQ(agreed(samples, 400, 2)[1].random, maps[0].random);
  EXPECT_NE(agreed(falling_scales(6, 300, 4), 400, 1)[1].random->seed, maps[0].random->seed);
}

TEST(RandomTotals, StandForTheKernelWithFewerNumbers) {
  const Samples samples = falling_scales(6, 300);
  const FeatureMap map = agreed(samples, 2000, 1)[0];
  const Matrix psi = map.features(samples);
  EXPECT_LE(psi.rows(), safe_total(300, 6, 2000));
  const Matrix kernel = gram<double>(slow_rbf, samples, samples);
  EXPECT_LE((psi.transpose() * psi - kernel).norm(), 0.1 * kernel.norm());
}

TEST(RandomTotals, LeadingDirectionsAreThoseOfPca) {
  const Matrix psi = Eigen::Vector3d(1, 3, 2).asDiagonal() * Matrix::Identity(3, 3);
  const Matrix leading = leading_directions_of(psi, 2);
  ASSERT_EQ(leading.cols(), 2);
  EXPECT_NEAR(std::abs(leading(1, 0)), 1, 1e-12);
  EXPECT_NEAR(std::abs(leading(2, 1)), 1, 1e-12);
  EXPECT_EQ(leading_directions_of(Matrix::Ones(4, 5), 3).cols(), 1);
}

}  // namespace
}  // namespace choir
