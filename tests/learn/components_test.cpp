#include "choir/learn/components.h"

#include "message_of.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

using test::message_of;

const Vector spectrum = (Vector(4) << 5, 3, 1, 1e-14).finished();

TEST(Components, ACountIsTakenAsItIs) {
  EXPECT_EQ(components_to_compute({.count = 3}, 9), 3);
  EXPECT_EQ(components_to_keep({.count = 3}, spectrum, 10, 1e-12), 3);
}

TEST(Components, MoreThanTheDataHaveIsRefused) {
  EXPECT_THAT(message_of([] { components_to_compute({.count = 10}, 9); }), ::testing::HasSubstr("at most 9"));
  EXPECT_THAT(message_of([] { components_to_compute({.count = 0}, 9); }), ::testing::HasSubstr("at least 1"));
}

TEST(Components, MoreThanTheRankIsRefused) {
  EXPECT_THAT(message_of([] { components_to_keep({.count = 4}, spectrum, 10, 1e-12); }),
              ::testing::HasSubstr("rank 3"));
}

TEST(Components, AFractionKeepsTheFewestThatExplainIt) {
  EXPECT_EQ(components_to_compute({.fraction = 0.8, .max_count = 50}, 9), 9);
  EXPECT_EQ(components_to_keep({.fraction = 0.5}, spectrum, 10, 1e-12), 1);
  EXPECT_EQ(components_to_keep({.fraction = 0.51}, spectrum, 10, 1e-12), 2);
  EXPECT_EQ(components_to_keep({.fraction = 0.81}, spectrum, 10, 1e-12), 3);
  EXPECT_THAT(message_of([] { components_to_keep({.fraction = 0.95, .max_count = 3}, spectrum, 10, 1e-12); }),
              ::testing::HasSubstr("raise max_components"));
  EXPECT_THAT(message_of([] { components_to_compute({.fraction = 1.5}, 9); }),
              ::testing::HasSubstr("between 0 and 1"));
}

// Three eigenvalues are all that there are, whatever the limit.
TEST(Components, AHigherLimitIsAdvisedOnlyWhereItHelps) {
  const auto refusal = message_of([] { components_to_keep({.fraction = 0.95}, spectrum, 10, 1e-12); });
  EXPECT_THAT(refusal, ::testing::HasSubstr("3 components explain 0.900 of the variance"));
  EXPECT_THAT(refusal, ::testing::HasSubstr("there are no others; ask for less"));
  EXPECT_THAT(refusal, ::testing::Not(::testing::HasSubstr("max_components")));
}

}  // namespace
}  // namespace choir
