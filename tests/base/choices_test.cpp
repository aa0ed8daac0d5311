#include "choir/base/choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

using ::testing::HasSubstr;

enum class Fruit { apple, pear, quince };
ChoiceNames<Fruit> choice_names(Fruit) {
  static constexpr std::array<ChoiceName<Fruit>, 2> fruits = {
      {{Fruit::apple, "apple"}, {Fruit::pear, "pear"}}};
  return fruits;
}

enum class Wordless { one };
static_assert(Choice<Fruit>);
static_assert(!Choice<Wordless>);
static_assert(!Choice<int>);

std::string refusal(std::string_view text) {
  try {
    parse_choice<Fruit>("dessert", text);
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::InvalidArgument);
    return error.what();
  }
  return {};
}

TEST(Choices, WordsAndChoicesBelongTogether) {
  for (const auto& [choice, name] : choice_names(Fruit{})) {
    EXPECT_EQ(parse_choice<Fruit>("dessert", name), choice);
    EXPECT_EQ(to_string(choice), name);
  }
}

TEST(Choices, WordsMayBeListedInTheOrderOfTheirValues) {
  constexpr auto names = words_in_order<Fruit::quince>("apple", "pear", "quince");
  EXPECT_EQ(names[1], (ChoiceName<Fruit>{Fruit::pear, "pear"}));
  EXPECT_EQ(names[2], (ChoiceName<Fruit>{Fruit::quince, "quince"}));
}

TEST(Choices, OtherWordsAreRefusedWithAllThatThereAre) {
  EXPECT_THAT(refusal("plum"), HasSubstr("dessert is 'plum'; it must be one of apple, pear"));
  for (const char* text : {"", "appl", "apples", "Apple", " apple"}) {
    EXPECT_THAT(refusal(text), HasSubstr("must be one of apple, pear")) << text;
  }
}

TEST(Choices, AChoiceWithoutAWordIsVisible) { EXPECT_EQ(to_string(Fruit::quince), "?"); }

}  // namespace
}  // namespace choir
