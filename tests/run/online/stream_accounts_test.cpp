#include "choir/run/online/stream_accounts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Numbers = std::vector<std::int64_t>;

Numbers fact(const Result& result, const char* name) {
  return std::get<Numbers>(result.facts.at(name).value());
}

TEST(StreamAccounts, CountForEveryNodeAndSaySoOnce) {
  Result result;
  describe_streams({{.node = 0, .bad_records = 4, .lost_samples = 30}, {.node = 1, .bad_records = 3}},
                   {"one", "two", "three", "four", "five", "six"}, result);
  EXPECT_EQ(fact(result, "bad_records"), (Numbers{4, 3}));
  EXPECT_EQ(fact(result, "lost_samples"), (Numbers{30, 0}));
  EXPECT_THAT(result.notes,
              ElementsAre(AllOf(HasSubstr("7 bad records were skipped; the first ones: one; two; three"),
                                Not(HasSubstr("six"))),
                          HasSubstr("30 records that were received from pipes")));
}

TEST(StreamAccounts, SayNothingWhereNothingWasLost) {
  Result result;
  describe_streams({{.node = 0}, {.node = 1}}, {}, result);
  EXPECT_EQ(fact(result, "bad_records"), (Numbers{0, 0}));
  EXPECT_TRUE(result.notes.empty());
  describe_streams({{.node = 0, .bad_records = 1}}, {"a line"}, result);
  EXPECT_THAT(result.notes, ElementsAre("1 bad record was skipped; it: a line"));
}

}  // namespace
}  // namespace choir
