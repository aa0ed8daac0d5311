#include "choir/base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(HumanBytes, PicksTheUnit) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(1023), "1023 B");
  EXPECT_EQ(human_bytes(1536), "1.5 KiB");
  EXPECT_EQ(human_bytes(3.1 * 1024 * 1024 * 1024), "3.1 GiB");
}

TEST(ParseNumber, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(parse_number("2e-7"), 2e-7);
  EXPECT_EQ(parse_number("+5"), 5);
  EXPECT_EQ(parse_number("5x"), std::nullopt);
  EXPECT_EQ(parse_number(""), std::nullopt);
  EXPECT_EQ(parse_number("+"), std::nullopt);
  EXPECT_EQ(parse_integer("-12"), -12);
  EXPECT_EQ(parse_integer("1.5"), std::nullopt);
  EXPECT_EQ(parse_integer("99999999999999999999"), std::nullopt);
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_THAT(split("a,,b", ','), ::testing::ElementsAre("a", "", "b"));
  EXPECT_THAT(split("", ','), ::testing::ElementsAre(""));
}

TEST(Trim, RemovesBlanksOnBothSides) {
  EXPECT_EQ(trim("  a b\r\n"), "a b");
  EXPECT_EQ(trim(" \t "), "");
}

}  // namespace
}  // namespace choir
