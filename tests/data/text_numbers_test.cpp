#include "choir/data/text_numbers.h"

#include <cmath>

#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(Number, TakesTheWholeFieldOrNothing) {
  EXPECT_EQ(number("1"), 1.0);
  EXPECT_EQ(number("+2.5e-3"), 2.5e-3);
  EXPECT_EQ(number("-.5"), -0.5);
  EXPECT_EQ(number("0.1"), 0.1);
  for (const char* bad : {"", "+", "++1", "+-", "1x", "1,5", " 1", "0x10", "--1", "e5", "abc"}) {
    EXPECT_FALSE(number(bad)) << bad;
  }
}

TEST(Number, KnowsWhatIsNotFinite) {
  EXPECT_TRUE(std::isnan(*number("nan")));
  EXPECT_TRUE(std::isnan(*number("NaN")));
  EXPECT_EQ(*number("-Infinity"), -INFINITY);
  EXPECT_EQ(*number("inf"), INFINITY);
  EXPECT_EQ(*number("1e999"), INFINITY);
  EXPECT_EQ(*number("1e-999"), 0.0);
}

TEST(NumberOrMissing, TakesAnEmptyFieldAsNan) {
  EXPECT_TRUE(std::isnan(*number_or_missing("")));
  EXPECT_TRUE(std::isnan(*number_or_missing("NA")));
  EXPECT_EQ(number_or_missing("7"), 7.0);
  EXPECT_FALSE(number_or_missing("none"));
}

TEST(Excerpt, IsShort) { EXPECT_EQ(excerpt(std::string(1000, 'x')).size(), 40u); }

}  // namespace
}  // namespace choir
