#include "choir/data/cells.h"

#include "data/support.h"

namespace choir {
namespace {

TEST(CellRules, KnowsWordsForMissingValues) {
  const CellRules rules({"unknown", "-"});
  for (const char* word : {"", "?", "NA", "na", "N/A", "nan", "NaN", "NULL", "unknown", "-"})
    EXPECT_TRUE(rules.is_missing(word)) << word;
  for (const char* word : {"none", "0", "Unknown", "--", "nano"})
    EXPECT_FALSE(rules.is_missing(word)) << word;
}

TEST(CellRules, ReadsNumbersWithEitherPoint) {
  const CellRules points, commas({}, ',');
  EXPECT_EQ(points.number("1234.5"), 1234.5);
  EXPECT_EQ(points.number("1.234,5"), std::nullopt);
  EXPECT_EQ(commas.number("1.234,5"), 1234.5);
  EXPECT_EQ(commas.number("-0,25"), -0.25);
  EXPECT_EQ(commas.number("1.234.567"), 1234567);
  EXPECT_EQ(commas.number("1,2,3"), std::nullopt);
  EXPECT_EQ(points.number("P12"), std::nullopt);
  EXPECT_THAT(sentence(ErrorCategory::InvalidArgument, [] { CellRules({}, ';'); }), HasSubstr("';'"));
}

TEST(TruthValue, IsAWordInAnyCase) {
  for (const char* word : {"True", "true", "YES", "yes"}) EXPECT_EQ(truth_value(word), true) << word;
  for (const char* word : {"False", "FALSE", "no", "No"}) EXPECT_EQ(truth_value(word), false) << word;
  for (const char* word : {"t", "1", "", "nope", "truth"}) EXPECT_EQ(truth_value(word), std::nullopt) << word;
}

// Days from Python: (date(2024, 3, 1) - date(1970, 1, 1)).days.
TEST(DaysSince1970, CountsTheDaysOfTheCalendar) {
  EXPECT_EQ(days_since_1970("1970-01-01"), 0);
  EXPECT_EQ(days_since_1970("2024-03-01"), 19783);
  EXPECT_EQ(days_since_1970("01.03.2024"), 19783);
  EXPECT_EQ(days_since_1970("1969-12-31"), -1);
  EXPECT_EQ(days_since_1970("2024-03-01 12:00"), 19783.5);
  EXPECT_EQ(days_since_1970("2024-03-01T06:00:00"), 19783.25);
}

TEST(DaysSince1970, RefusesWhatIsNoDate) {
  for (const char* word :
       {"2024-02-30", "2023-02-29", "2024-3-1", "2024-03-01 25:00", "2024-03-01 12:61", "2024-03-01x12:00",
        "2024/03/01", "20240301", "", "ab.cd.efgh", "2024-03-01 12:0a"})
    EXPECT_EQ(days_since_1970(word), std::nullopt) << word;
}

}  // namespace
}  // namespace choir
