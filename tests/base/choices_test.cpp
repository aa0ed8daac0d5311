#include "choir/base/choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

using ::testing::HasSubstr;

enum class Fruit { apple, pear, quince };
constexpr ChoiceNames<Fruit, 2> fruits = {{{Fruit::apple, "apple"}, {Fruit::pear, "pear"}}};

std::string refusal(std::string_view text) {
  try {
    parse_choice(fruits, "dessert", text);
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::InvalidArgument);
    return error.what();
  }
  return {};
}

TEST(Choices, WordsAndChoicesBelongTogether) {
  for (const auto& [choice, name] : fruits) {
    EXPECT_EQ(parse_choice(fruits, "dessert", name), choice);
    EXPECT_EQ(name_of(fruits, choice), name);
  }
}

TEST(Choices, OtherWordsAreRefusedWithAllThatThereAre) {
  EXPECT_THAT(refusal("plum"), HasSubstr("dessert is 'plum'; it must be one of apple, pear"));
  for (const char* text : {"", "appl", "apples", "Apple", " apple"}) {
    EXPECT_THAT(refusal(text), HasSubstr("must be one of apple, pear")) << text;
  }
}

TEST(Choices, AChoiceWithoutAWordIsVisible) { EXPECT_EQ(name_of(fruits, Fruit::quince), "?"); }

}  // namespace
}  // namespace choir
