#include "choir/learn/gossip_pca/feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir::gossip_pca {
namespace {

using std::chrono::milliseconds;

TEST(Stream, IsANumberOfSamplesAndTheTimeBetweenThem) {
  const Stream stream = parse_stream("50@100ms");
  EXPECT_EQ(stream.count, 50);
  EXPECT_EQ(stream.interval, milliseconds(100));
}

TEST(Stream, RefusesWhatDoesNotFlow) {
  for (const char* text : {"", "20", "0@1s", "-3@1s", "5@0s", "5@later", "@1s", "many@1s"}) {
    EXPECT_THROW(parse_stream(text), Error) << text;
  }
}

TEST(Stream, LeavesInTheShardWhatIsThereAtTheStart) {
  std::vector<Samples> shards = {Samples{{1, 2, 3, 4, 5}}, Samples{{6}}};
  std::vector<SampleFeed> feeds = feeds_of(shards, {.count = 2, .interval = milliseconds(3)});
  ASSERT_EQ(feeds.size(), 2u);
  EXPECT_EQ(shards[0], (Samples{{1, 2}}));
  EXPECT_EQ(shards[1], (Samples{{6}}));
  const auto second = feeds[0]();
  const auto third = feeds[0]();
  ASSERT_TRUE(second && third);
  EXPECT_EQ(second->samples, (Samples{{3, 4}}));
  EXPECT_EQ(second->at, milliseconds(3));
  EXPECT_EQ(third->samples, (Samples{{5}}));
  EXPECT_EQ(third->at, milliseconds(6));
  EXPECT_FALSE(feeds[0]());
  EXPECT_FALSE(feeds[1]());
}

}  // namespace
}  // namespace choir::gossip_pca
