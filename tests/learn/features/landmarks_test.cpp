#include "choir/learn/features/landmarks.h"

#include <cmath>

#include "learn/central/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/local/local_engine.h"

namespace choir {
namespace {

using testing_toys::falling_scales;

Matrix covariance_of(const Samples& samples) {
  const Matrix centred = samples.colwise() - samples.rowwise().mean();
  return centred * centred.transpose() / static_cast<double>(samples.cols());
}

TEST(Landmarks, TheSpreadIsExactWhereFeaturesAreFew) {
  const Matrix covariance = covariance_of(falling_scales(6, 50, 1));
  const Matrix factor = spread_factor(covariance * probe_directions(6), probe_directions(6));
  EXPECT_LE((factor * factor.transpose() - covariance).norm(), 1e-12 * covariance.norm());
}

TEST(Landmarks, TheSpreadOfManyFeaturesKeepsTheLeadingDirections) {
  const Samples samples = falling_scales(200, 300, 2);
  const Matrix covariance = covariance_of(samples);
  const Matrix probes = probe_directions(200);
  ASSERT_EQ(probes.cols(), 60);
  const Matrix factor = spread_factor(covariance * probes, probes);
  EXPECT_LE((factor * factor.transpose() - covariance).norm(), 0.05 * covariance.norm());
}

TEST(Landmarks, SeedsHaveTheMeanAndSpreadTheyAreDrawnFrom) {
  const Vector mean = Eigen::Vector2d(100, -7);
  Matrix factor(2, 2);
  factor << 3, 0, 1, 0.5;
  const Matrix seeds = drawn_seeds(mean, factor, 20000, Rng(1, Purpose("test")));
  EXPECT_LE((seeds.rowwise().mean() - mean).norm(), 0.1);
  EXPECT_LE((covariance_of(seeds) - factor * factor.transpose()).norm(), 0.3);
}

TEST(Landmarks, ASampleCountsForTheSeedNearestToItFarFromTheOriginToo) {
  for (const double offset : {0.0, 1e8}) {
    Matrix seeds(1, 2);
    seeds << offset, offset + 10;
    Samples samples(1, 3);
    samples << offset + 1, offset + 9, offset + 6;
    const SeedSums sums = seed_sums(samples, seeds);
    EXPECT_EQ(sums.counts, Eigen::Vector2d(1, 2));
    EXPECT_NEAR(sums.movements(0, 0), 1, 1e-7);
    EXPECT_NEAR(sums.movements(0, 1), -5, 1e-7);
  }
}

TEST(Landmarks, SeedsWithFewSamplesStay) {
  EXPECT_EQ(seeds_to_move(Eigen::Vector4d(5, 2, 3, 4), 3), (std::vector<Index>{0, 3}));  // all but 2 show 2
  EXPECT_EQ(seeds_to_move(Eigen::Vector4d(5, 2, 1, 4), 3), (std::vector<Index>{0, 3}));
  EXPECT_EQ(seeds_to_move(Eigen::Vector3d(5, 0, 4), 3), (std::vector<Index>{0, 2}));
  EXPECT_TRUE(seeds_to_move(Eigen::Vector2d(1, 1), 3).empty());
}

struct Shared {
  Matrix points;
  Matrix features;
};

std::vector<Shared> agreed(const std::vector<Samples>& shards, Index count) {
  const Contract contract{
      .method = "landmarks",
      .kinds = {Kind::centroids, Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
  const Kernel kernel{.kind = KernelKind::rbf, .gamma = 0.05};
  LocalEngine engine({.threads = 2});
  const auto outcome = run_nodes<Shared>(
      engine, make_topology("ring:2", std::ssize(shards), 0), contract, {}, [&](Node& node) -> Task<Shared> {
        const Samples& mine = shards[static_cast<std::size_t>(node.id())];
        const LandmarkOptions wanted{.count = count, .min_count = 3};
        const Array own(mine);
        const SharedLandmarks landmarks = co_await agreed_landmarks(node, own, kernel, wanted);
        co_return Shared{.points = landmarks.points.matrix(), .features = landmarks.features(kernel, mine)};
      });
  std::vector<Shared> all;
  for (const auto& each : outcome.results) all.push_back(*each);
  return all;
}

TEST(Landmarks, AreTheSameAtAllNodesAndStandForTheKernel) {
  std::vector<Samples> shards;
  for (std::uint64_t node = 0; node < 4; ++node) shards.push_back(falling_scales(3, 40, node));
  const std::vector<Shared> shared = agreed(shards, 60);
  for (std::size_t node = 0; node < shards.size(); ++node) {
    EXPECT_EQ(shared[node].points, shared[0].points);
    for (Index n = 0; n < 5; ++n) {
      const double between = (shards[node].col(n) - shards[node].col(n + 1)).squaredNorm();
      EXPECT_NEAR(shared[node].features.col(n).dot(shared[node].features.col(n + 1)),
                  std::exp(-0.05 * between), 0.02);
    }
  }
}

// How samples are dealt out does not matter: the landmarks are those of the whole network.
TEST(Landmarks, DoNotDependOnWhoHasWhichSample) {
  const Samples all = falling_scales(3, 90, 7);
  const std::vector<Samples> even = {all.leftCols(30), all.middleCols(30, 30), all.rightCols(30)};
  const std::vector<Samples> uneven = {all.leftCols(2), all.middleCols(2, 80), all.rightCols(8)};
  EXPECT_LE((agreed(even, 20)[0].points - agreed(uneven, 20)[0].points).norm(), 1e-9);
}

}  // namespace
}  // namespace choir
