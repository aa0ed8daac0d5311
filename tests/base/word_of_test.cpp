#include "choir/base/word_of.h"

#include <gtest/gtest.h>

namespace choir {
namespace {

enum class Tide { low, high };
constexpr std::string_view tide_words[] = {"low", "high"};

TEST(WordOf, FollowsTheOrderOfTheEnum) {
  EXPECT_EQ(word_of<Tide::high>(Tide::low, tide_words), "low");
  EXPECT_EQ(word_of<Tide::high>(Tide::high, tide_words), "high");
}

TEST(WordOf, BeyondTheLastValueNothingIsKnown) {
  EXPECT_EQ(word_of<Tide::high>(static_cast<Tide>(2), tide_words), "unknown");
}

}  // namespace
}  // namespace choir
