#include "choir/run/option.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/kernel/kernel.h"

namespace choir {
namespace {

using ::testing::HasSubstr;

struct Wishes : OptionTarget {
  std::string name = "world";
  Index n_times = 1;
  double share = 0.5;
  bool loud = false;
  KernelKind kernel = KernelKind::rbf;
  GammaSpec gamma = {};
  Duration wait = std::chrono::seconds(90);
  std::optional<Index> guard = {};
  std::vector<std::int64_t> labels = {};
};

OptionTable table_of_wishes() {
  OptionTable table;
  OptionGroup<Wishes> group(table, "Wishes");
  group.add("name", &Wishes::name, "who is greeted");
  group.add("n-times", &Wishes::n_times, "how often").at_least(1);
  group.add("share", &Wishes::share, "of what").at_least(0).below(1);
  group.add("loud", &Wishes::loud, "shout");
  group.add("kernel", &Wishes::kernel, "which kernel");
  group.add("gamma", &Wishes::gamma, "width");
  group.add("wait", &Wishes::wait, "how long");
  group.add("guard", &Wishes::guard, "auto", "columns").at_least(0);
  group.add("labels", &Wishes::labels, "some labels");
  return table;
}

std::string refusal(const std::vector<GivenOption>& given) {
  Wishes wishes;
  try {
    apply_options(table_of_wishes(), given, wishes);
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::InvalidArgument);
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

TEST(Options, EveryTypeReadsWhatItWrites) {
  const OptionTable table = table_of_wishes();
  const std::vector<GivenOption> given = {
      {"name", {"choir"}}, {"n-times", {"3"}},   {"share", {"0.25"}},
      {"loud", {"true"}},  {"kernel", {"poly"}}, {"gamma", {"median"}},
      {"wait", {"250us"}}, {"guard", {"7"}},     {"labels", {"1,2", "5"}}};
  Wishes wishes;
  apply_options(table, given, wishes);
  EXPECT_EQ(wishes.n_times, 3);
  EXPECT_EQ(wishes.kernel, KernelKind::poly);
  EXPECT_EQ(wishes.gamma.rule, GammaRule::median);
  EXPECT_EQ(wishes.guard, 7);
  EXPECT_THAT(wishes.labels, ::testing::ElementsAre(1, 2, 5));
  // Reading back the canonical texts changes nothing.
  Wishes again;
  for (const OptionRow& row : table.rows()) {
    apply_options(table, {{row.name, {canonical_text(row, wishes)}}}, again);
    EXPECT_EQ(canonical_text(row, again), canonical_text(row, wishes)) << row.name;
  }
}

TEST(Options, AWordMayStandForNothing) {
  Wishes wishes;
  wishes.guard = 3;
  apply_options(table_of_wishes(), {{"guard", {"auto"}}}, wishes);
  EXPECT_FALSE(wishes.guard);
  EXPECT_EQ(canonical_text(*table_of_wishes().find("guard"), wishes), "auto");
}

TEST(Options, TheFirstWhoGivesAnOptionCountsAndItIsRemembered) {
  Wishes wishes;
  apply_options(table_of_wishes(), {{"n-times", {"2"}}, {"n_times", {"9"}, "run.toml line 1"}}, wishes);
  EXPECT_EQ(wishes.n_times, 2);
  EXPECT_TRUE(wishes.was_given("n-times"));
  EXPECT_FALSE(wishes.was_given("share"));
}

TEST(Options, RefusalsNameTheOptionTheValueAndTheRemedy) {
  EXPECT_THAT(refusal({{"n-times", {"0"}}}), HasSubstr("--n-times is '0'; it must be a positive integer"));
  EXPECT_THAT(refusal({{"n-times", {"two"}}}), HasSubstr("--n-times is 'two'; it must be an integer"));
  EXPECT_THAT(refusal({{"share", {"1"}}}), HasSubstr("from 0 to less than 1"));
  EXPECT_THAT(refusal({{"kernel", {"moon"}}}), ::testing::AllOf(HasSubstr("moon"), HasSubstr("rbf")));
  EXPECT_THAT(refusal({{"gamma", {"wide"}}}), HasSubstr("--gamma"));
  EXPECT_THAT(refusal({{"labels", {"1,x"}}}), HasSubstr("'x'"));
  EXPECT_THAT(refusal({{"n_times", {"0"}, "run.toml line 7"}}), ::testing::StartsWith("run.toml line 7: "));
}

TEST(Options, WhatIsNearlyAnOptionIsAskedBack) {
  EXPECT_THAT(refusal({{"n-time", {"1"}}}), HasSubstr("did you mean 'n-times'?"));
  EXPECT_THAT(refusal({{"kernle", {"rbf"}}}), HasSubstr("did you mean 'kernel'?"));
  EXPECT_THAT(refusal({{"colour", {"red"}}}), ::testing::Not(HasSubstr("did you mean")));
}

TEST(Options, ATableHasEveryNameOnce) {
  OptionTable table = table_of_wishes();
  OptionGroup<Wishes> group(table, "Again");
  EXPECT_THROW(group.add("name", &Wishes::name, "twice"), Error);
  table.remove("loud");
  EXPECT_EQ(table.find("loud"), nullptr);
  EXPECT_THROW(table.at("loud"), Error);
}

TEST(Options, DurationsAreWrittenInTheLargestUnitThatIsExact) {
  EXPECT_EQ(duration_text(std::chrono::seconds(60)), "1min");
  EXPECT_EQ(duration_text(std::chrono::seconds(90)), "90s");
  EXPECT_EQ(duration_text(std::chrono::milliseconds(10)), "10ms");
  EXPECT_EQ(parse_duration(duration_text(std::chrono::nanoseconds(1500))), std::chrono::nanoseconds(1500));
}

}  // namespace
}  // namespace choir
