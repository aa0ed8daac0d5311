#include "choir/learn/federation/sample_counts.h"

#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(SampleCounts, KnowWhatWasCountedAndMoreThanThat) {
  SampleCounts counts;
  EXPECT_TRUE(counts.have({1, 2}, 0));
  EXPECT_FALSE(counts.have({1, 2}, 1));
  counts.note({1, 2, 4}, 90);
  EXPECT_TRUE(counts.have({1, 2, 4}, 90));
  EXPECT_FALSE(counts.have({1, 2, 4}, 91));
  EXPECT_TRUE(counts.have({1, 2, 3, 4}, 80));
  EXPECT_FALSE(counts.have({1, 2}, 80));
  EXPECT_FALSE(counts.have({1, 3, 4}, 80));
  counts.note({1, 2}, 20);
  counts.note({3}, 70);
  EXPECT_TRUE(counts.have({1, 2, 3}, 70));
  EXPECT_FALSE(counts.have({1, 2, 3}, 90));  // they have, but nobody has counted them together
}

}  // namespace
}  // namespace choir
