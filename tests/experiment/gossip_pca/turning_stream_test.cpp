#include "choir/experiment/gossip_pca/turning_stream.h"

#include <gtest/gtest.h>

namespace choir {
namespace {

const StreamSpec small{.nodes = 2, .features = 8, .components = 2, .batches = 3, .batch = 400};

TEST(TurningStream, TurnsFromTheFirstAxesToTheNext) {
  const TurningStream stream(small, 0);
  for (const Index intervals : {0, 1, 3}) {
    const Matrix directions = stream.directions(intervals * small.interval);
    EXPECT_TRUE((directions.transpose() * directions).isIdentity(1e-12));
  }
  EXPECT_TRUE(stream.directions({}).isApprox(Matrix::Identity(8, 2)));
  EXPECT_NEAR(stream.directions(3 * small.interval)(3, 1), 1, 1e-12);
}

TEST(TurningStream, SamplesVaryAlongTheDirectionsOfTheirTime) {
  const TurningStream stream(small, 0);
  const Samples samples = stream.batch(1, 2);
  const Matrix directions = stream.directions(2 * small.interval);
  const double along = (directions.transpose() * samples).squaredNorm();
  EXPECT_GT(along / samples.squaredNorm(), 0.9);  // 13.2 of 13.9 are expected
}

TEST(TurningStream, AFeedGivesEveryBatchOnceAtItsTime) {
  const TurningStream stream(small, 4);
  gossip_pca::SampleFeed feed = stream.feed(1);
  for (const Index number : {1, 2, 3}) {
    const std::optional<gossip_pca::FeedBatch> batch = feed();
    ASSERT_TRUE(batch);
    EXPECT_EQ(batch->at, number * small.interval);
    EXPECT_EQ(batch->samples, stream.batch(1, number));
  }
  EXPECT_FALSE(feed());
  EXPECT_NE(stream.batch(0, 1), stream.batch(1, 1));
}

}  // namespace
}  // namespace choir
