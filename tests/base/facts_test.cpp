#include "choir/base/facts.h"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> keys_of(const Facts& facts) {
  std::vector<std::string> keys;
  for (const Facts::Entry& entry : facts.entries()) keys.push_back(entry.first);
  return keys;
}

TEST(Facts, KeepTheOrderInWhichTheyWereSet) {
  Facts facts;
  facts.set("b", 1).set("a", "word").set("b", 2.5);
  EXPECT_THAT(keys_of(facts), ElementsAre("b", "a"));
  EXPECT_EQ(facts.at("b").number(), 2.5);
  EXPECT_EQ(facts.at("a").text(), "word");
  EXPECT_EQ(facts.find("c"), nullptr);
  EXPECT_THROW(facts.at("c"), Error);
  EXPECT_THROW(facts.at("a").number(), Error);
  EXPECT_THROW(facts.at("b").text(), Error);
}

TEST(Facts, TakeThoseOfOthers) {
  Facts facts = Facts().set("a", 1).set("b", 2);
  facts.add(Facts().set("c", 3).set("a", 4));
  EXPECT_THAT(keys_of(facts), ElementsAre("a", "b", "c"));
  EXPECT_EQ(facts.at("a").number(), 4);
}

// Any range of numbers that is no std::vector: a Vector of Eigen is one.
struct TwoNumbers {
  const double* begin() const { return values; }
  const double* end() const { return values + 2; }
  double values[2] = {0.5, 2};
};

TEST(Facts, HoldListsAndWhatIsNotKnown) {
  const Facts facts = Facts()
                          .set("numbers", TwoNumbers())
                          .set("integers", std::vector<int>{1, 2})
                          .set("nothing", std::optional<double>())
                          .set("inner", Facts().set("x", true));
  EXPECT_THAT(std::get<std::vector<double>>(facts.at("numbers").value()), ElementsAre(0.5, 2));
  EXPECT_THAT(std::get<std::vector<std::int64_t>>(facts.at("integers").value()), ElementsAre(1, 2));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(facts.at("nothing").value()));
  EXPECT_TRUE(std::get<bool>(std::get<Facts>(facts.at("inner").value()).at("x").value()));
}

}  // namespace
}  // namespace choir
