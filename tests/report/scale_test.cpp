#include "choir/report/scale.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

std::vector<std::string> labels(const std::vector<double>& ticks) {
  std::vector<std::string> words;
  for (const double tick : ticks) words.push_back(tick_label(tick));
  return words;
}

TEST(Scale, PutsTheEndsWhereTheyBelong) {
  const Scale scale({.low = 2, .high = 4}, {.from = 300, .to = 100});
  EXPECT_DOUBLE_EQ(scale(2), 300);
  EXPECT_DOUBLE_EQ(scale(3), 200);
  EXPECT_DOUBLE_EQ(scale(4), 100);
}

TEST(Scale, MarksNumbersPeopleLike) {
  EXPECT_THAT(labels(Scale({0.78, 0.99}, {0, 1}).ticks()), ElementsAre("0.8", "0.85", "0.9", "0.95"));
  EXPECT_THAT(labels(Scale({0, 0.6}, {0, 1}).ticks()),
              ElementsAre("0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6"));
  EXPECT_THAT(labels(Scale({-3, 95}, {0, 1}).ticks()), ElementsAre("0", "20", "40", "60", "80"));
}

TEST(Scale, MarksPowersOfTenOnALogarithmicAxis) {
  EXPECT_THAT(labels(Scale({100, 10000}, {0, 1}, true).ticks()),
              ElementsAre("100", "200", "500", "1000", "2000", "5000", "10000"));
  EXPECT_THAT(labels(Scale({0.001, 1000}, {0, 1}, true).ticks()),
              ElementsAre("0.001", "0.01", "0.1", "1", "10", "100", "1000"));
  EXPECT_DOUBLE_EQ(Scale({1, 100}, {0, 10}, true)(10), 5);
}

TEST(Scale, APartOfADecadeHasMarksToo) {
  EXPECT_THAT(labels(Scale({0.1, 0.44}, {0, 1}, true).ticks()), ElementsAre("0.1", "0.2", "0.3", "0.4"));
  EXPECT_THAT(labels(Scale({0.031, 0.079}, {0, 1}, true).ticks()),
              ElementsAre("0.04", "0.05", "0.06", "0.07"));
}

TEST(Scale, ShowsWhatHasAPlace) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(Scale({0, 1}, {0, 1}).shows(nan));
  EXPECT_TRUE(Scale({0, 1}, {0, 1}).shows(-1));
  EXPECT_FALSE(Scale({1, 2}, {0, 1}, true).shows(0));
}

TEST(Scale, AnExtentWithoutLengthIsWidened) {
  const Scale scale({.low = 5, .high = 5}, {.from = 0, .to = 100});
  EXPECT_DOUBLE_EQ(scale(5), 50);
  EXPECT_TRUE(std::isfinite(Scale({0, 0}, {0, 1})(0)));
}

TEST(Scale, ExtentsPassOverWhatCannotBeShown) {
  const std::vector<double> values = {3, std::numeric_limits<double>::infinity(), -1, 7};
  EXPECT_EQ(extent_of(values, false).low, -1);
  EXPECT_EQ(extent_of(values, true).low, 3);
  EXPECT_EQ(extent_of(values, true).high, 7);
  EXPECT_EQ(extent_of({}, false).high, 1);
}

TEST(Scale, RoundsOutwards) {
  const Extent extent = rounded_outwards({.low = 0.783, .high = 0.991});
  EXPECT_THAT(extent.low, DoubleNear(0.75, 1e-12));
  EXPECT_THAT(extent.high, DoubleNear(1, 1e-12));
}

}  // namespace
}  // namespace choir
