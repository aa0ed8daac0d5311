#include "choir/learn/assessment/separation.h"

#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(Separation, NearlyEqualVariancesAreAGroup) {
  const Vector variances = Eigen::Vector4d(5, 2, 1.98, 1);
  EXPECT_EQ(component_groups(variances, 3), (std::vector<ComponentGroup>{{0, 0}, {1, 2}}));
  EXPECT_EQ(unseparated_groups(variances, 3), (std::vector<ComponentGroup>{{1, 2}}));
}

TEST(Separation, AGroupGoesOnBeyondTheComponentsKept) {
  const Vector variances = Eigen::Vector4d(5, 2, 1.98, 1.97);
  EXPECT_EQ(component_groups(variances, 2), (std::vector<ComponentGroup>{{0, 0}, {1, 3}}));
}

TEST(Separation, EachStepCountsNotTheWholeWay) {
  Vector variances(5);
  variances << 1.08, 1.04, 1.0, 0.97, 0.5;
  EXPECT_EQ(component_groups(variances, 5), (std::vector<ComponentGroup>{{0, 3}, {4, 4}}));
}

TEST(Separation, VanishingVariancesAreOneGroup) {
  const Vector variances = Eigen::Vector3d(1, 0, 0);
  EXPECT_EQ(component_groups(variances, 3), (std::vector<ComponentGroup>{{0, 0}, {1, 2}}));
}

TEST(Separation, Words) {
  EXPECT_EQ(words_of({7, 8}, 10), "components 8 and 9 are not separated");
  EXPECT_EQ(words_of({2, 4}, 10), "components 3 to 5 are not separated");
  EXPECT_EQ(words_of({9, 11}, 10), "component 10 is not separated from those that follow it");
  EXPECT_EQ(words_of({8, 11}, 10), "components 9 and 10 are not separated, nor from those that follow them");
}

}  // namespace
}  // namespace choir
