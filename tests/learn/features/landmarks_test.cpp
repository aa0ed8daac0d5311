#include "choir/learn/features/landmarks.h"

#include <cmath>

#include "learn/central/toy.h"
#include "message_of.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/learn/features/safe_total.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/local/local_engine.h"

namespace choir {
namespace {

using ::testing::HasSubstr;
using testing_toys::falling_scales;

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

std::vector<Shared> agreed(const std::vector<Samples>& shards, Index count, bool summed = false,
                           std::uint64_t seed = 0) {
  const Contract contract{
      .method = "landmarks",
      .kinds = {Kind::centroids, Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
  const Kernel kernel{.kind = KernelKind::rbf, .gamma = 0.05};
  LocalEngine engine({.threads = 2});
  const auto outcome = run_nodes<Shared>(
      engine, make_topology("line", std::ssize(shards), 0), contract, {.seed = seed},
      [&](Node& node) -> Task<Shared> {
        const Samples& mine = shards[static_cast<std::size_t>(node.id())];
        const LandmarkOptions wanted{.count = count, .min_count = 3, .summed = summed};
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

// A run with another seed tells nothing new.
TEST(Landmarks, DoNotDependOnTheSeedOfTheRun) {
  const std::vector<Samples> shards = {falling_scales(3, 40, 1), falling_scales(3, 50, 2)};
  for (const bool summed : {false, true}) {
    EXPECT_EQ(agreed(shards, 20, summed, 1)[0].points, agreed(shards, 20, summed, 2)[1].points);
  }
}

TEST(Landmarks, ThatWillBeSummedHaveNoMoreFeaturesThanASafeTotal) {
  std::vector<Samples> shards;
  for (std::uint64_t node = 0; node < 4; ++node) shards.push_back(falling_scales(30, 40, node));
  const Matrix all = agreed(shards, 60)[0].features;
  const std::vector<Shared> summed = agreed(shards, 60, true);
  EXPECT_GT(all.rows(), 50);
  EXPECT_LE(summed[0].features.rows(), safe_total(160, 30, 60));
  EXPECT_GE(summed[0].features.rows(), 10);
  for (const Shared& node : summed) EXPECT_EQ(node.features.rows(), summed[0].features.rows());
  // What is left out is the smaller part.
  EXPECT_GE(summed[0].features.squaredNorm(), 0.8 * all.squaredNorm());
}

TEST(Landmarks, OfWhichTooFewSamplesKnowNoTotalAreRefused) {
  const std::vector<Samples> shards = {falling_scales(3, 1, 1), falling_scales(3, 2, 2)};
  EXPECT_THAT(test::message_of([&] { agreed(shards, 5, true); }), HasSubstr("has 3 samples of 3 features"));
}

TEST(Landmarks, TheLeadingWhiteningKeepsTheDirectionsOfWeight) {
  const Matrix points = (Matrix(1, 3) << 0, 10, 20).finished();  // far apart: each is a direction
  const Kernel kernel{.kind = KernelKind::rbf, .gamma = 1};
  const Matrix whitening = leading_whitening(kernel, points, Eigen::Vector3d(1, 7, 3), 2);
  ASSERT_EQ(whitening.cols(), 2);
  EXPECT_NEAR(std::abs(whitening(1, 0)), 1, 1e-9);
  EXPECT_NEAR(std::abs(whitening(2, 1)), 1, 1e-9);
}

// Nodes 0 and 1 with the points that each of them was given.
Shared with_public_points(const Matrix& first, const Matrix& second) {
  const Contract contract{
      .method = "landmarks",
      .kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};  // and no centroids
  const Kernel kernel{.kind = KernelKind::rbf, .gamma = 0.05};
  LocalEngine engine({.threads = 2});
  const auto outcome =
      run_nodes<Shared>(engine, make_topology("line", 2, 0), contract, {}, [&](Node& node) -> Task<Shared> {
        const Samples mine = falling_scales(3, 50, static_cast<std::uint64_t>(node.id()));
        const LandmarkOptions wanted{.summed = true, .points = Array(node.id() == 0 ? first : second)};
        const Array own(mine);
        const SharedLandmarks landmarks = co_await agreed_landmarks(node, own, kernel, wanted);
        co_return Shared{.points = landmarks.points.matrix(), .features = landmarks.features(kernel, mine)};
      });
  return *outcome.results[1];
}

TEST(Landmarks, ThatArePublicStayWhereTheyAre) {
  const Matrix points = falling_scales(3, 30, 9);
  const Shared shared = with_public_points(points, points);
  EXPECT_EQ(shared.points, points);
  EXPECT_GE(shared.features.rows(), 2);
  EXPECT_LE(shared.features.rows(), safe_total(100, 3, 30));
}

TEST(Landmarks, ThatArePublicAreTheSameAtAllNodesAndFitTheSamples) {
  const Matrix points = falling_scales(3, 30, 9);
  Matrix others = points;
  others(2, 29) += 1e-9;
  EXPECT_THAT(test::message_of([&] { with_public_points(points, others); }),
              HasSubstr("the nodes were given different public landmarks"));
  EXPECT_THAT(test::message_of([&] { with_public_points(points.topRows(2), points.topRows(2)); }),
              HasSubstr("the public landmarks have 2 features and the samples of node"));
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
