#include "choir/learn/features/private_features.h"

#include <vector>

#include "graph/expect_error.h"
#include "learn/central/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/kernel/gram.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

using testing::expect_error;
using testing_toys::falling_scales;

const Kernel gentle_rbf{.kind = KernelKind::rbf, .gamma = 0.05};
constexpr Index nodes = 3;
constexpr double hardly_any_noise = 1e9;

std::vector<FeatureMap> agreed(const Samples& samples, const std::vector<PrivateFeatures>& wanted,
                               double epsilon = hardly_any_noise) {
  const Contract contract{.method = "private features", .kinds = {Kind::masked, Kind::totals, Kind::control}};
  const Index each = samples.cols() / nodes;
  SimEngine engine;
  const auto outcome = run_nodes<FeatureMap>(
      engine, make_topology("line", nodes, 0), contract, {.seed = 5}, [&](Node& node) -> Task<FeatureMap> {
        const PrivateFeatures& mine = wanted[static_cast<std::size_t>(node.id()) % wanted.size()];
        const ComponentsBudget budget =
            components_budget({.epsilon = epsilon}, nodes, mine.finds_landmarks());
        SecureSums sums = co_await open_secure_sums(node);
        const Array shard(Samples(samples.middleCols(each * node.id(), each)));
        const FeatureMap map = co_await private_features(node, sums, shard, samples.cols(), mine, budget);
        co_return map;
      });
  std::vector<FeatureMap> all;
  for (const auto& node : outcome.results) all.push_back(*node);
  return all;
}

PrivateFeatures drawn(Index count, double clip) {
  return {.kernel = gentle_rbf, .n_landmarks = count, .clip = clip};
}

Matrix spread_of(const Matrix& points) {
  const Matrix centred = points.colwise() - points.rowwise().mean();
  return centred * centred.transpose() / static_cast<double>(points.cols());
}

TEST(PrivateFeatures, LandmarksHaveTheMeanAndTheSpreadOfTheSamples) {
  const Samples samples = falling_scales(4, 600).colwise() + Eigen::Vector4d(1, 2, 0, 0);
  const double longest = samples.colwise().norm().maxCoeff();
  const NoisyMoments spread = moments_from(moments_column(samples / longest), samples.cols(), 1e-9);
  const Matrix points = drawn_landmarks(spread, drawn(20'000, longest), Rng(1, Purpose("test")));
  EXPECT_LE((points.rowwise().mean() - samples.rowwise().mean()).norm(), 0.1);
  EXPECT_LE((spread_of(points) - spread_of(samples)).norm(), 0.05 * spread_of(samples).norm());
}

TEST(PrivateFeatures, LongSamplesCountAsShortenedOnes) {
  Samples samples = falling_scales(4, 300);
  samples.col(0) *= 1e6;
  const Matrix points = agreed(samples, {drawn(40, 3)})[0].landmarks->points.matrix();
  EXPECT_LE(points.cwiseAbs().maxCoeff(), 20);
}

TEST(PrivateFeatures, AreTheSameAtAllNodesAndNoLongerThanOne) {
  const Samples samples = falling_scales(4, 300);
  const std::vector<FeatureMap> maps = agreed(samples, {drawn(40, 3)}, 1);
  for (const FeatureMap& map : maps) {
    EXPECT_EQ(map.landmarks->points.matrix(), maps[0].landmarks->points.matrix());
    EXPECT_EQ(map.landmarks->whitening.matrix(), maps[0].landmarks->whitening.matrix());
  }
  EXPECT_LE(maps[0].features(samples).colwise().norm().maxCoeff(), 1 + 1e-9);
}

TEST(PrivateFeatures, DirectionsBelowTheNoiseAreUsedOnlyAsFarAsTheyAreNeeded) {
  NoisyMoments spread{.samples = 100, .sum = Vector::Zero(3), .products = Matrix::Zero(3, 3), .sigma = 1};
  spread.products.diagonal() << 50, 1, 0.5;  // the noise shows up to sqrt(6) / 100
  PrivateFeatures wanted = drawn(30, 2);
  const Matrix along_one = drawn_landmarks(spread, wanted, Rng(1, Purpose("test")));
  EXPECT_LE(along_one.bottomRows(2).norm(), 1e-9);
  EXPECT_GT(along_one.row(0).norm(), 1);
  wanted.least_directions = 2;
  const Matrix along_two = drawn_landmarks(spread, wanted, Rng(1, Purpose("test")));
  EXPECT_GT(along_two.row(1).norm(), 0.1);
  EXPECT_LE(along_two.row(2).norm(), 1e-9);
}

TEST(PrivateFeatures, PublicPointsAreTakenAsTheyAre) {
  const Samples samples = falling_scales(4, 300);
  const Samples points = falling_scales(4, 30, 7);
  const PrivateFeatures wanted{.kernel = gentle_rbf, .public_points = Array(Samples(points))};
  EXPECT_FALSE(wanted.finds_landmarks());
  for (const FeatureMap& map : agreed(samples, {wanted})) {
    EXPECT_EQ(map.landmarks->points.matrix(), points);
    const Matrix psi = map.features(points);
    const Matrix kernel = gram<double>(gentle_rbf, points, points);
    EXPECT_LE((psi.transpose() * psi - kernel).norm(), 1e-6 * kernel.norm());
  }
}

TEST(PrivateFeatures, PublicPointsThatDifferAreRefused) {
  const Samples samples = falling_scales(4, 300);
  std::vector<PrivateFeatures> wanted;
  for (const std::uint64_t seed : {7, 7, 8})
    wanted.push_back({.kernel = gentle_rbf, .public_points = Array(Samples(falling_scales(4, 30, seed)))});
  expect_error(ErrorCategory::InvalidArgument, {"different public landmarks"},
               [&] { agreed(samples, wanted); });
}

TEST(PrivateFeatures, RandomOnesFollowFromTheSeedAndNotFromTheSamples) {
  const PrivateFeatures wanted{.kernel = gentle_rbf, .kind = FeatureKind::random_features, .n_features = 50};
  const std::vector<FeatureMap> maps = agreed(falling_scales(4, 300), {wanted}, 1);
  for (const FeatureMap& map : maps) EXPECT_EQ(map.random, maps[0].random);
  EXPECT_EQ(agreed(falling_scales(4, 300, 9), {wanted}, 1)[1].random, maps[0].random);
  EXPECT_EQ(maps[0].random->count, 50);
}

}  // namespace
}  // namespace choir
