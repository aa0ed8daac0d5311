#include "choir/runtime/kind.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

using ::testing::ElementsAre;

// Stands in result.json and in encoded messages: neither may change.
TEST(Kind, NamesAndNumbersAreFixed) {
  std::vector<std::string> names;
  for (const Kind kind : all_kinds) names.emplace_back(to_string(kind));
  EXPECT_THAT(names,
              ElementsAre("raw_samples", "centroids", "features", "coefficients", "own_statistics", "masked",
                          "totals", "identifiers", "control", "options", "facts", "summaries", "failures"));
  for (std::size_t i = 0; i < kind_count; ++i) EXPECT_EQ(static_cast<std::size_t>(all_kinds[i]), i);
}

TEST(Kind, EveryOneSaysWhatItTellsInALineOfItsOwn) {
  std::set<std::string_view> lessons;
  for (const Kind kind : all_kinds) {
    EXPECT_LT(what_it_tells(kind).size(), 110u) << to_string(kind);
    EXPECT_TRUE(lessons.insert(what_it_tells(kind)).second) << to_string(kind);
  }
}

TEST(KindSet, HasWhatItWasGivenAndNothingElse) {
  for (const Kind kind : all_kinds) {
    const KindSet single = {kind};
    for (const Kind other : all_kinds) EXPECT_EQ(single.has(other), other == kind);
  }
  EXPECT_THAT(KindSet().list(), ElementsAre());
}

TEST(KindSet, ListsInTheOrderOfTheEnumerationWhateverTheOrderGiven) {
  const KindSet kinds = {Kind::control, Kind::raw_samples, Kind::control};
  EXPECT_THAT(kinds.list(), ElementsAre(Kind::raw_samples, Kind::control));
  EXPECT_EQ(kinds, (KindSet{Kind::raw_samples, Kind::control}));
  EXPECT_NE(kinds, KindSet{Kind::control});
}

TEST(KindSet, WhatProcessesTellEachOtherIsNothingThatNodesSend) {
  EXPECT_THAT(process_kinds.list(), ElementsAre(Kind::options, Kind::facts, Kind::summaries, Kind::failures));
}

TEST(KindSet, ReadsAsWords) {
  EXPECT_EQ((KindSet{Kind::control, Kind::coefficients}).text(), "coefficients, control");
  EXPECT_EQ(KindSet().text(), "nothing");
}

}  // namespace
}  // namespace choir
