#include "choir/crypto/random_word.h"

#include <set>

#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(RandomWord, HasThirtyTwoHexadecimalDigitsAndNeverComesTwice) {
  std::set<std::string> words;
  for (int i = 0; i < 1000; ++i) {
    const std::string word = random_word();
    EXPECT_EQ(word.size(), 32u);
    EXPECT_EQ(word.find_first_not_of("0123456789abcdef"), std::string::npos);
    words.insert(word);
  }
  EXPECT_EQ(words.size(), 1000u);
}

}  // namespace
}  // namespace choir
