#include "choir/data/csv_scanner.h"

#include "data/support.h"
#include <rapidcheck.h>

namespace choir {
namespace {

std::vector<std::string> fields_of(std::string_view record, char separator) {
  std::vector<std::string_view> fields;
  split_record(record, separator, fields);
  return {fields.begin(), fields.end()};
}

TEST(CsvScanner, PassesOverBlankLinesAndCommentsAndCountsThem) {
  CsvScanner scanner("# numbers\n\n1,2\r\n  \t\n  # more\n3,4");
  EXPECT_EQ(*scanner.next(), "1,2\r");
  EXPECT_EQ(scanner.line(), 3);
  EXPECT_EQ(*scanner.next(), "3,4");
  EXPECT_EQ(scanner.line(), 6);
  EXPECT_FALSE(scanner.next());
}

TEST(CsvScanner, KeepsALineBreakInsideQuotes) {
  CsvScanner scanner("\"a\nb\",c\n1,2\n");
  EXPECT_EQ(*scanner.next(), "\"a\nb\",c");
  EXPECT_EQ(*scanner.next(), "1,2");
  EXPECT_EQ(scanner.line(), 3);
}

TEST(CsvScanner, EndsAtAQuoteThatIsNeverClosed) {
  CsvScanner scanner("1,\"2\n3,4\n");
  EXPECT_EQ(*scanner.next(), "1,\"2\n3,4\n");
  EXPECT_FALSE(scanner.next());
}

TEST(CsvScanner, WaitsForTheRestOfARecordThatComesInParts) {
  const std::string text = "# c\n\n\"a\nb\",c\n1,2\n3,4";
  EXPECT_TRUE(rc::check([&] {
    CsvScanner scanner("", false);
    CsvScanner whole(text);
    std::size_t shown = 0;
    while (true) {
      const std::optional<std::string_view> record = scanner.next();
      if (record) {
        RC_ASSERT(*record == *whole.next());
        RC_ASSERT(scanner.line() == whole.line());
        continue;
      }
      if (shown == text.size()) break;
      const std::size_t behind = shown - scanner.rest().size();
      shown += *rc::gen::inRange<std::size_t>(1, text.size() - shown + 1);
      scanner.go_on(std::string_view(text).substr(behind, shown - behind), shown == text.size());
    }
    RC_ASSERT(!whole.next());
  }));
}

TEST(GuessSeparator, LooksOutsideQuotes) {
  EXPECT_EQ(guess_separator("1,2"), ',');
  EXPECT_EQ(guess_separator("1;2"), ';');
  EXPECT_EQ(guess_separator("1\t2"), '\t');
  EXPECT_EQ(guess_separator("1 2"), blanks);
  EXPECT_EQ(guess_separator("\"a,b\";c"), ';');
  EXPECT_EQ(guess_separator("1.5"), ',');
  EXPECT_EQ(guess_separator(" 1.5 \r"), ',');
}

TEST(SplitRecord, TakesQuotesAndBlanksOff) {
  EXPECT_THAT(fields_of(" 1 ,\"2\", \"a,b\" ,\r", ','), ElementsAre("1", "2", "a,b", ""));
  EXPECT_THAT(fields_of("  1   2\t3 \r", blanks), ElementsAre("1", "2", "3"));
  EXPECT_THAT(fields_of("\t1", '\t'), ElementsAre("", "1"));
}

TEST(Unescape, HalvesDoubledQuotes) {
  EXPECT_EQ(unescape("a \"\"b\"\" c"), "a \"b\" c");
  EXPECT_EQ(unescape("a\""), "a\"");
}

TEST(SplitRecord, GivesBackWhatWasQuoted) {
  EXPECT_TRUE(rc::check([](const std::vector<std::string>& words) {
    RC_PRE(!words.empty());
    std::string record;
    std::vector<std::string> expected;
    for (const std::string& word : words) {
      if (!record.empty()) record += ',';
      record += '"';
      for (const char c : word) record += c == '"' ? std::string("\"\"") : std::string(1, c);
      record += '"';
      expected.push_back(word);
    }
    std::vector<std::string> got;
    for (const std::string& field : fields_of(record, ',')) got.push_back(unescape(field));
    RC_ASSERT(got == expected);
  }));
}

}  // namespace
}  // namespace choir
