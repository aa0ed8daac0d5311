#include "choir/data/csv_stream.h"

#include "data/csv_texts.h"
#include "data/stream_support.h"
#include <rapidcheck.h>

#include "choir/data/csv_reader.h"

namespace choir {
namespace {

std::string csv_stream_refusal(std::string_view text, const std::string& target = {}) {
  const TextFile file(text);
  return sentence(ErrorCategory::BadData, [&] { rows_of(*open_csv_rows(file.window(), target)); });
}

TEST(CsvStream, UnderstandsWhatTheReaderUnderstands) {
  const auto expect_understood = [](const char* text) {
    const TextFile file(text);
    const auto rows = open_csv_rows(file.window(), {});
    EXPECT_FALSE(rows->has_targets());
    EXPECT_EQ(rows_of(*rows).samples, decode_csv(text, "x.csv").samples) << text;
  };
  for (const char* text : ways_to_write_one_table) expect_understood(text);
  expect_understood("value\n1.5\n2.5\n");
}

TEST(CsvStream, TakesTargetsThatNeedNotBeWholeFromAColumn) {
  const TextFile file("a,t,b\n1,7,2\n3,-0.5,4\n");
  for (const char* target : {"t", "2", "-2"}) {
    const auto rows = open_csv_rows(file.window(), target);
    ASSERT_TRUE(rows->has_targets());
    const TargetedSamples all = rows_of(*rows);
    EXPECT_EQ(all.samples, (Samples(2, 2) << 1, 3, 2, 4).finished()) << target;
    EXPECT_EQ(all.targets, (Vector(2) << 7, -0.5).finished()) << target;
  }
  EXPECT_FALSE(open_csv_rows(file.window(), "labels.npy")->has_targets());
}

TEST(CsvStream, PassesOverRowsWithoutLookingAtThemAndBeginsAgain) {
  const TextFile file("a,b\n1,2\nnot,numbers,at all\n5,6\n");
  const auto rows = open_csv_rows(file.window(), {});
  for (int pass = 0; pass < 2; ++pass) {
    EXPECT_EQ(rows->skip(2), 2u);
    EXPECT_EQ(rows_of(*rows).samples, (Samples(2, 1) << 5, 6).finished());
    EXPECT_EQ(rows->skip(1), 0u);
    rows->rewind();
  }
}

TEST(CsvStream, RefusesWithTheReadersSentences) {
  EXPECT_THAT(csv_stream_refusal("1,2\n3,4,5\n"),
              HasSubstr("row 2 (line 2) has 3 columns but the first row has 2"));
  EXPECT_THAT(csv_stream_refusal("a,b\n\n1,2\nc,d\n"),
              HasSubstr("row 2 (line 4), column 1 (a): 'c' is not a number"));
  EXPECT_THAT(csv_stream_refusal("1,2\nnan,4\n"), HasSubstr("row 2 (line 2), column 1 is NaN"));
  EXPECT_THAT(csv_stream_refusal("1,2\n3,\n"), HasSubstr("row 2 (line 2), column 2 is empty"));
  EXPECT_THAT(csv_stream_refusal("a,t\n1,inf\n", "t"), HasSubstr("row 1 (line 2), column 2 (t) is infinite"));
  EXPECT_THAT(csv_stream_refusal("\n# nothing\n"), HasSubstr("no data"));
  EXPECT_THAT(csv_stream_refusal("a,b\n"), HasSubstr("only a header"));
}

TEST(CsvStream, GoesOnBehindABadRow) {
  const TextFile file("a,b\n1,2\n3\nx,4\n5,6\n");
  const auto rows = open_csv_rows(file.window(), {});
  std::vector<double> row(2);
  const auto read = [&] { return rows->read(1, row, {}); };
  EXPECT_EQ(read(), 1);
  EXPECT_THROW(read(), BadRow);
  EXPECT_THAT(sentence(ErrorCategory::BadData, read), HasSubstr("row 3 (line 4), column 1 (a): 'x'"));
  EXPECT_EQ(read(), 1);
  EXPECT_EQ(row, (std::vector<double>{5, 6}));
  EXPECT_EQ(read(), 0);
}

TEST(CsvStream, TakesTargetsByARule) {
  const TextFile file("a,t\n1,dog\n2,\"a \"\"cat\"\"\"\n3,emu\n");
  const auto rows = open_csv_rows(file.window(), "t", word_labels({"a \"cat\"", "dog"}));
  std::vector<double> row(1), target(1);
  for (const double place : {1, 0}) {
    ASSERT_EQ(rows->read(1, row, target), 1);
    EXPECT_EQ(target[0], place);
  }
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { rows->read(1, row, target); }),
              HasSubstr("row 3 (line 4), column 2 (t): 'emu' is not one of the classes"));
}

TEST(CsvStream, CountsRowsThatWerePassedOver) {
  const TextFile file("1,2\n3,4\n5,x\n");
  const auto rows = open_csv_rows(file.window(), {});
  rows->skip(2);
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { rows_of(*rows); }),
              HasSubstr("row 3 (line 3), column 2: 'x' is not a number"));
}

TEST(CsvStream, AgreesWithTheReaderWhereverTheWindowEnds) {
  EXPECT_TRUE(rc::check([] {
    const auto columns = *rc::gen::inRange(1, 10);
    std::string text = *rc::gen::element<std::string>("", "# a comment, with \" in it\n", "\n\n");
    for (int row = *rc::gen::inRange(1, 50); row > 0; --row) {
      for (int c = 0; c < columns; ++c) {
        const std::string number = std::to_string(*rc::gen::arbitrary<int>());
        text += (c > 0 ? "," : "") + (c % 3 == 2 ? '"' + number + '"' : number);
      }
      text += *rc::gen::element<std::string>("\n", "\r\n", "\n\n");
    }
    const TextFile file(text);
    const WindowSizes sizes{.first = static_cast<std::size_t>(*rc::gen::inRange(3, 100))};
    const auto rows = open_csv_rows(TextWindow(FileReader(file.source()), sizes), {});
    RC_ASSERT(rows_of(*rows).samples == decode_csv(text, "x.csv").samples);
  }));
}

}  // namespace
}  // namespace choir
