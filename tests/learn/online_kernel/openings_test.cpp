#include "choir/learn/online_kernel/openings.h"

#include <gtest/gtest.h>

namespace choir::online_kernel {
namespace {

TEST(Openings, ABlockHasFourSamplesPerFeatureAndAnEighthOfTheTotal) {
  EXPECT_EQ(block_quota(500, 0), 2000);
  EXPECT_EQ(block_quota(500, 100000), 12500);
}

TEST(Openings, RoundsUntilABlockIsCompleteAreAtLeastOne) {
  EXPECT_EQ(rounds_until(2000, 1, 32), 63u);
  EXPECT_EQ(rounds_until(2000, 100, 32), 1u);
  EXPECT_EQ(rounds_until(-5, 100, 32), 1u);
}

TEST(Openings, ShortHalfLivesLeaveFewerFeatures) {
  EXPECT_EQ(features_to_use(500, 0), 500);
  EXPECT_EQ(features_to_use(500, 4000), 500);
  EXPECT_EQ(features_to_use(500, 800), 100);
  EXPECT_EQ(features_to_use(500, 1), 1);
}

TEST(Openings, HalfIsLeftAfterTheHalfLife) {
  EXPECT_EQ(share_kept(0, 5, 32, 1000), 1);
  EXPECT_DOUBLE_EQ(share_kept(640, 5, 32, 4), 0.5);
}

// 10 features are 5 cosines and then their sines.
TEST(Openings, FewSamplesAreForTheFirstFeaturesAlone) {
  EXPECT_EQ(features_for(17, 10, false), (std::vector<Index>{0, 1, 2, 3}));
  EXPECT_EQ(features_for(17, 10, true), (std::vector<Index>{0, 1, 5, 6}));
  EXPECT_EQ(features_for(40, 10, true).size(), 10u);
  EXPECT_EQ(features_for(1e6, 9, true).size(), 9u);
  EXPECT_TRUE(features_for(3, 10, true).empty());
}

TEST(Openings, WeightsBalanceClassesWithinBounds) {
  EXPECT_NEAR(class_weight_of(9, 998, 2), 50, 1e-12);
  EXPECT_NEAR(class_weight_of(989, 998, 2), 1000.0 / 1980, 1e-12);
  EXPECT_EQ(class_weight_of(0, 1e6, 2), 100);
}

}  // namespace
}  // namespace choir::online_kernel
