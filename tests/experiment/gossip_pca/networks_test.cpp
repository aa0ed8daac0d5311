#include "choir/experiment/gossip_pca/networks.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "choir/linalg/columns.h"

namespace choir {
namespace {

Dataset numbered_digits(Index count) {
  Dataset digits;
  digits.samples = Matrix::NullaryExpr(1, count, [](Index, Index n) { return static_cast<double>(n); });
  for (Index n = 0; n < count; ++n) digits.labels.push_back(n % 3);
  return digits;
}

TEST(GossipNetworks, GaussianSamplesHaveTheRankThatWasAskedForAndAMean) {
  const GossipNetwork network = gaussian_network({.nodes = 4, .features = 12, .samples = 60, .rank = 3}, 1);
  const gossip_pca::Yardstick yardstick = yardstick_of(network, 3);
  EXPECT_LT(yardstick.best_error(), 1e-20);
  EXPECT_GT(yardstick_of(network, 2).best_error(), 1e-4);
  EXPECT_GT(yardstick.mean().norm(), 1);
  for (const Samples& shard : network.shards) EXPECT_EQ(shard.cols(), 15);
}

TEST(GossipNetworks, UnevenSizesAddUpAndStayInRange) {
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    const std::vector<Index> sizes = uneven_sizes(20, 200, seed);
    EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), Index{0}), 200);
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    EXPECT_GE(*least, 1);
    EXPECT_LE(*most, 19);
    EXPECT_LT(*least, *most);
  }
}

TEST(GossipNetworks, DividedCoordinatesAreMeasuredByTheGramMatrixOfCentredRows) {
  const GaussianSpec spec{.nodes = 5, .features = 40, .samples = 8, .rank = 3};
  const GossipNetwork network = gaussian_coordinates(spec, 2);
  Matrix gram = Matrix::Zero(8, 8);
  Index rows = 0;
  for (const Samples& shard : network.shards) {
    for (const auto& row : shard.rowwise()) {
      const Vector centred = row.transpose().array() - row.mean();
      gram += centred * centred.transpose();
      ++rows;
    }
  }
  ASSERT_EQ(rows, 40);
  EXPECT_LT((yardstick_of(network, 3).covariance() - gram / 40).norm(), 1e-10 * gram.norm());
}

TEST(GossipNetworks, SortedDigitsGiveMostNodesOneLabelAndLoseNoImage) {
  const Dataset digits = numbered_digits(90);
  const GossipNetwork network = digit_network(digits, 9, DigitOrder::sorted, 0);
  std::vector<Index> all;
  for (std::size_t node = 0; node < 9; ++node) {
    for (const double value : network.shards[node].reshaped()) {
      EXPECT_EQ(static_cast<std::size_t>(value) % 3, node / 3);
      all.push_back(static_cast<Index>(value));
    }
  }
  std::sort(all.begin(), all.end());
  std::vector<Index> expected(90);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(all, expected);
}

TEST(GossipNetworks, ARandomOrderMixesLabelsAndFollowsTheSeed) {
  const Dataset digits = numbered_digits(90);
  const GossipNetwork network = digit_network(digits, 3, DigitOrder::random, 5);
  for (const Samples& shard : network.shards) {
    Eigen::Array3i counts = Eigen::Array3i::Zero();
    for (const double value : shard.reshaped()) ++counts(static_cast<Index>(value) % 3);
    EXPECT_TRUE((counts > 0).all());
  }
  EXPECT_EQ(network.shards[1], digit_network(digits, 3, DigitOrder::random, 5).shards[1]);
  EXPECT_NE(network.shards[1], digit_network(digits, 3, DigitOrder::random, 6).shards[1]);
}

}  // namespace
}  // namespace choir
