#include "choir/learn/features/network_gaussian.h"

#include "learn/central/toy.h"
#include <gtest/gtest.h>

#include "choir/graph/topology.h"
#include "choir/runtime/engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

using testing_toys::falling_scales;

Matrix covariance_of(const Samples& samples) {
  const Matrix centred = samples.colwise() - samples.rowwise().mean();
  return centred * centred.transpose() / static_cast<double>(samples.cols());
}

TEST(NetworkGaussian, TheSpreadIsExactWhereFeaturesAreFew) {
  const Matrix covariance = covariance_of(falling_scales(6, 50, 1));
  const Matrix factor = spread_factor(covariance * probe_directions(6), probe_directions(6));
  EXPECT_LE((factor * factor.transpose() - covariance).norm(), 1e-12 * covariance.norm());
}

TEST(NetworkGaussian, TheSpreadOfManyFeaturesKeepsTheLeadingDirections) {
  const Samples samples = falling_scales(200, 300, 2);
  const Matrix covariance = covariance_of(samples);
  const Matrix probes = probe_directions(200);
  ASSERT_EQ(probes.cols(), 60);
  const Matrix factor = spread_factor(covariance * probes, probes);
  EXPECT_LE((factor * factor.transpose() - covariance).norm(), 0.05 * covariance.norm());
}

TEST(NetworkGaussian, SeedsHaveTheMeanAndSpreadTheyAreDrawnFrom) {
  const Vector mean = Eigen::Vector2d(100, -7);
  Matrix factor(2, 2);
  factor << 3, 0, 1, 0.5;
  const Matrix seeds = drawn_seeds(mean, factor, 20000, Rng(1, Purpose("test")));
  EXPECT_LE((seeds.rowwise().mean() - mean).norm(), 0.1);
  EXPECT_LE((covariance_of(seeds) - factor * factor.transpose()).norm(), 0.3);
}

TEST(NetworkGaussian, FewSamplesAreSeenAlongFewDirections) {
  EXPECT_EQ(probes_for(3), 1);
  EXPECT_EQ(probes_for(40), 10);
  EXPECT_EQ(probes_for(4000), most_probes);
  EXPECT_EQ(probe_directions(30, probes_for(40)).cols(), 10);
}

// Of k equal values among zeros the shares are 1 / k, so 10 samples are enough and 9 are not.
TEST(NetworkGaussian, AFeatureIsLoneIfFewSamplesMakeItsSpread) {
  Matrix marks = Matrix::Zero(4, 1000);
  marks.row(1).head(9).setOnes();
  marks.row(2).head(11).setOnes();
  marks.row(3) = falling_scales(1, 1000, 1);
  const Matrix centred = marks.colwise() - marks.rowwise().mean();
  const Vector squares = centred.rowwise().squaredNorm();
  const Vector shares =
      squared_shares(centred.leftCols(400), squares) + squared_shares(centred.rightCols(600), squares);
  EXPECT_EQ(shares(0), 0) << "a constant tells nothing of anybody";
  EXPECT_NEAR(1 / shares(1), 9, 0.2);
  EXPECT_NEAR(1 / shares(3), 1000. / 3, 50);
  EXPECT_EQ(lone_features(shares, 1000), std::vector<Index>{1});
  EXPECT_EQ(lone_features(Eigen::Vector3d(1, 0.3, 0.19), 30), (std::vector<Index>{0, 1}))
      << "of 30 five are enough";
}

TEST(NetworkGaussian, WhatIsDrawnChangesWithTheMomentsAndNotWithTheirRounding) {
  const Samples samples = falling_scales(4, 100, 3);
  const Vector mean = samples.rowwise().mean();
  const Matrix products = covariance_of(samples);
  const auto first = [](Rng random) { return random.bits(); };
  const std::uint64_t drawn = first(random_of_moments(mean, products));
  EXPECT_EQ(first(random_of_moments(mean.array() * (1 + 1e-13), products)), drawn);
  EXPECT_NE(first(random_of_moments(mean.array() * (1 + 1e-3), products)), drawn);
  EXPECT_NE(first(random_of_moments(mean, 1.5 * products.array() + 0.1)), drawn);
  EXPECT_EQ(first(random_of_moments(Vector::Zero(2), Matrix::Zero(2, 2))),
            first(random_of_moments(Vector::Zero(2), Matrix::Zero(2, 2))));
}

TEST(NetworkGaussian, IsThatOfAllSamplesAndItsSpreadTheRootsAlone) {
  Samples samples = falling_scales(4, 90, 5);
  samples.row(2).setZero();
  samples(2, 40) = 1;  // a mark that one sample has
  const Contract contract{.method = "gaussian",
                          .kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control}};
  SimEngine engine;
  const auto outcome = run_nodes<NetworkGaussian>(
      engine, make_topology("line", 3, 0), contract, {}, [&](Node& node) -> Task<NetworkGaussian> {
        const Samples own = samples.middleCols(30 * node.id(), 30);
        SecureSums sums = co_await open_secure_sums(node);
        const Array shard(own);
        const NetworkGaussian found = co_await agreed_gaussian(node, sums, shard);
        co_return found;
      });
  Index roots = 0;
  for (const auto& found : outcome.results) {
    EXPECT_EQ(found->samples, 90);
    EXPECT_LE((found->mean - samples.rowwise().mean()).norm(), 1e-12);
    if (!found->at_root) continue;
    ++roots;
    const Matrix& factor = found->at_root->factor;
    Matrix without_the_mark = covariance_of(samples);
    without_the_mark.row(2).setZero();
    without_the_mark.col(2).setZero();
    EXPECT_LE((factor * factor.transpose() - without_the_mark).norm(), 1e-9);
  }
  EXPECT_EQ(roots, 1);
}

}  // namespace
}  // namespace choir
