#include "choir/learn/federated_kmeans/noisy_clusters.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/learn/federated_kmeans/noisy_rounds.h"

namespace choir::federated_kmeans::noisy_clusters_test {
namespace {

Matrix normal(Rng& rng, Index rows, Index columns) {
  return Matrix::NullaryExpr(rows, columns, [&] { return rng.normal(); });
}

// Sample by sample, as the definition says it.
Matrix plain_sums(const Matrix& features, const Matrix& centres) {
  Matrix sums = Matrix::Zero(features.rows() + 1, centres.cols());
  for (Index n = 0; n < features.cols(); ++n) {
    Index nearest = 0;
    for (Index c = 1; c < centres.cols(); ++c) {
      const double before = (features.col(n) - centres.col(nearest)).squaredNorm();
      if ((features.col(n) - centres.col(c)).squaredNorm() < before) nearest = c;
    }
    for (Index i = 0; i < features.rows(); ++i) sums(i, nearest) += features(i, n);
    sums(features.rows(), nearest) += 1;
  }
  return sums;
}

TEST(NoisyClusters, ADeviceAddsUpFeaturesAndSamplesPerCentre) {
  Rng rng(1, Purpose("test"));
  Matrix features = normal(rng, 4, 60);
  for (auto column : features.colwise()) column *= rng.uniform() / column.norm();
  const Matrix centres = 0.3 * normal(rng, 4, 5);
  EXPECT_LT((sums_of_clusters(features, centres) - plain_sums(features, centres)).norm(), 1e-12);
  EXPECT_EQ(sums_of_clusters(Matrix(4, 0), centres), Matrix::Zero(5, 5));
}

// Whatever is told to a device, one sample replaced by another moves the sums by no more than the sensitivity
// that the noise is made for; and by no less, if the two are chosen for it.
TEST(NoisyClusters, NoSampleMovesTheSumsFartherThanTheSensitivity) {
  double farthest = 0;
  for (std::uint64_t trial = 0; trial < 20'000; ++trial) {
    Rng rng(2, Purpose("test"), trial);
    const auto length = static_cast<Index>(1 + rng.below(4));
    const Matrix centres = rng.uniform() * normal(rng, length, static_cast<Index>(1 + rng.below(4)));
    Matrix features = normal(rng, length, 3);  // longer than 1, too: nobody is trusted
    const Matrix before = sums_of_clusters(features, centres);
    features.col(1) = trial % 2 == 0 ? Matrix(-2 * features.col(1)) : normal(rng, length, 1);
    const double moved = (sums_of_clusters(features, centres) - before).norm();
    ASSERT_LE(moved, noisy_sums_sensitivity + 1e-12) << trial;
    farthest = std::max(farthest, moved);
  }
  EXPECT_GT(farthest, noisy_sums_sensitivity - 1e-9);
}

TEST(NoisyClusters, FeaturesThatAreNotFiniteCountAsNothing) {
  Matrix features = Matrix::Identity(3, 3);
  Matrix without = features;
  features(1, 1) = std::numeric_limits<double>::quiet_NaN();
  features(0, 2) = std::numeric_limits<double>::infinity();
  without.rightCols(2).setZero();
  const Matrix centres = Matrix::Identity(3, 2);
  EXPECT_EQ(sums_of_clusters(features, centres), sums_of_clusters(without, centres));
}

TEST(NoisyClusters, WithoutNoiseACentreIsTheMeanOfItsCluster) {
  Rng rng(3, Purpose("test"));
  Matrix features = normal(rng, 6, 200);
  for (auto column : features.colwise()) column.normalize();
  const Vector mean = noisy_mean(sums_of_clusters(features, Matrix::Zero(6, 1)), 200);
  EXPECT_LT((mean - features.rowwise().mean()).norm(), 1e-12);
  NoisyClusters clusters(mean, {.clusters = 3, .seed = 5});
  const Matrix total = plain_sums(features, clusters.centres());
  clusters.move(total, 0);
  for (Index c = 0; c < 3; ++c) {
    ASSERT_GT(total(6, c), 0);
    EXPECT_LT((clusters.centres().col(c) - total.col(c).head(6) / total(6, c)).norm(), 1e-12);
    EXPECT_EQ(clusters.counts()(c), total(6, c));
  }
}

TEST(NoisyClusters, SeedsAreEquallyFarFromTheMeanAndDifferBySeed) {
  const Vector mean = Vector::LinSpaced(8, -0.2, 0.3);
  const NoisyClusters clusters(mean, {.clusters = 4, .seed = 5});
  const Vector distances = (clusters.centres().colwise() - mean).colwise().norm();
  EXPECT_LT((distances.array() - distances(0)).abs().maxCoeff(), 1e-12);
  EXPECT_EQ(NoisyClusters(mean, {.clusters = 4, .seed = 5}).centres(), clusters.centres());
  EXPECT_NE(NoisyClusters(mean, {.clusters = 4, .seed = 6}).centres(), clusters.centres());
}

TEST(NoisyClusters, NoiseIsTakenOutOfADistanceToTheMean) {
  const Vector mean = Vector::Unit(4, 0) / 2;
  NoisyClusters clusters(mean, {.clusters = 3, .seed = 1});
  const Matrix seeds = clusters.centres();
  Matrix total = Matrix::Zero(5, 3);
  total.col(0) << 50, 30, 0, 0, 100;  // (.5, .3): .3 from the mean, of which noise is 4 (2 / 100)^2
  total.col(1) << 50, 1, 0, 0, 100;   // nearer than the noise alone would be
  total.col(2) << 7, 7, 7, 7, 1.9;    // fewer samples than the noise deviates by
  clusters.move(total, 2);
  const double kept = 1 - 4 * 0.0004 / 0.09;
  EXPECT_LT((clusters.centres().col(0) - Vector{{0.5, 0.3 * kept, 0, 0}}).norm(), 1e-12);
  EXPECT_LT((clusters.centres().col(1) - mean).norm(), 1e-12);
  EXPECT_EQ(clusters.centres().col(2), seeds.col(2));
  EXPECT_EQ(clusters.counts(), (Vector{{100, 100, 2}}));
}

TEST(NoisyClusters, CountsAreNotNegativeAndCentresNoLongerThanFeatures) {
  NoisyClusters clusters(Vector::Zero(2), {.clusters = 2, .seed = 1});
  Matrix total(3, 2);
  total << 30, 1, 40, 1, 10, -5;
  clusters.move(total, 1);
  EXPECT_EQ(clusters.counts(), (Vector{{10, 0}}));
  EXPECT_NEAR(clusters.centres().col(0).norm(), 1, 1e-12);
  Matrix long_mean(3, 1);
  long_mean << 300, 400, 100;
  EXPECT_NEAR(noisy_mean(long_mean, 100).norm(), 1, 1e-12);
}

}  // namespace
}  // namespace choir::federated_kmeans::noisy_clusters_test
