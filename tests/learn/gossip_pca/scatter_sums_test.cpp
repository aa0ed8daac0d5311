#include "choir/learn/gossip_pca/scatter_sums.h"

#include "learn/gossip_pca/toy.h"
#include <gtest/gtest.h>

#include "choir/linalg/qr.h"

namespace choir::gossip_pca {
namespace {

Matrix dense_covariance(const Samples& samples) {
  const Matrix centred = samples.colwise() - samples.rowwise().mean();
  return centred * centred.transpose() / static_cast<double>(samples.cols());
}

template <class Own>
ScatterSums over_nodes(const Samples& samples, const Own& own) {
  const std::vector<Samples> shards = dealt(samples, 3);
  ScatterSums sums = own(shards[0]);
  sums += own(shards[1]);
  sums += own(shards[2]);
  return sums;
}

TEST(ScatterSums, GiveTheCovarianceAboutTheMeanOfAllNodes) {
  const Samples samples = spread_samples(7, 50, 1);
  const Vector origin = Vector::Constant(7, 0.3);
  const ScatterSums sums =
      over_nodes(samples, [&](const Samples& shard) { return whole_scatter(shard, origin); });
  const Matrix truth = dense_covariance(samples);
  EXPECT_LT((covariance(sums) - truth).norm(), 1e-13 * truth.norm());
  EXPECT_NEAR(total_variance(sums), truth.trace(), 1e-13 * truth.trace());
  EXPECT_LT((origin + mean_offset(sums) - samples.rowwise().mean()).norm(), 1e-13);
  EXPECT_EQ(sums.samples, 50);
  EXPECT_EQ(sums.products.size(), triangle_size(7));
}

TEST(ScatterSums, GiveItsProductsWithDirections) {
  const Samples samples = spread_samples(7, 50, 1);
  const Matrix directions = thin_qr<double>(samples.leftCols(3)).q;
  const Vector origin = samples.rowwise().mean().array() + 0.1;
  const ScatterSums sums =
      over_nodes(samples, [&](const Samples& shard) { return products_with(directions, shard, origin); });
  const Matrix truth = dense_covariance(samples) * directions;
  EXPECT_LT((covariance_products(sums, directions) - truth).norm(), 1e-13 * truth.norm());
}

// About zero all digits of the variance would be lost: 1e16 against 1.
TEST(ScatterSums, DoNotCancelFarFromZero) {
  const Samples near = spread_samples(5, 60, 1);
  const Samples far = near.array() + 1e8;
  const Vector origin = far.leftCols(20).rowwise().mean();
  const ScatterSums sums =
      over_nodes(far, [&](const Samples& shard) { return whole_scatter(shard, origin); });
  const Matrix truth = dense_covariance(near);
  EXPECT_LT((covariance(sums) - truth).norm(), 1e-6 * truth.norm());
}

TEST(ScatterSums, KnowWhatLiesBetweenTheNodesAndOutsideTheFeatures) {
  Samples samples = spread_samples(7, 51, 1);
  samples.leftCols(17).array() += 2;  // the first of three nodes
  const Vector origin = Vector::Constant(7, 0.3);
  ScatterSums sums = over_nodes(samples, [&](const Samples& shard) { return whole_scatter(shard, origin); });
  double within = 0;
  for (const Samples& shard : dealt(samples, 3)) within += dense_covariance(shard).trace() / 3;
  const double trace = dense_covariance(samples).trace();
  EXPECT_NEAR(between_share(sums), 1 - within / trace, 1e-12);
  sums.outside = 51 * 0.5;
  EXPECT_NEAR(total_variance(sums), trace + 0.5, 1e-12);
  EXPECT_NEAR(between_share(sums), 1 - within / trace, 1e-12) << "of what the features show";
}

TEST(ScatterSums, OfNothingAreZero) {
  const ScatterSums sums = whole_scatter(Samples(4, 0), Vector::Zero(4));
  EXPECT_EQ(covariance(sums), Matrix::Zero(4, 4));
  EXPECT_EQ(total_variance(sums), 0);
  EXPECT_EQ(between_share(sums), 0);
}

TEST(ScatterSums, AreTheSameOutOfTheColumnThatTheyWerePackedInto) {
  const Samples samples = spread_samples(4, 10, 1);
  ScatterSums sent = whole_scatter(samples, Vector::Constant(4, 0.2));
  sent.outside = 0.7;
  ScatterSums got = whole_scatter(Samples(4, 0), Vector::Constant(4, 0.2));
  unpack(packed(sent), got);
  EXPECT_EQ(got.samples, 10);
  EXPECT_EQ(got.squares, sent.squares);
  EXPECT_EQ(got.within, sent.within);
  EXPECT_EQ(got.outside, 0.7);
  EXPECT_EQ(got.sum, sent.sum);
  EXPECT_EQ(got.products, sent.products);
}

}  // namespace
}  // namespace choir::gossip_pca
