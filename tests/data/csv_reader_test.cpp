#include "choir/data/csv_reader.h"

#include <cmath>

#include "data/csv_texts.h"
#include "data/support.h"

namespace choir {
namespace {

Samples two_by_two() {
  Samples samples(2, 2);
  samples << 1, 3, 2, 4;  // the rows of the file are the columns here
  return samples;
}

std::string csv_reader_refusal(std::string_view text, const ReadOptions& options = {}) {
  return sentence(ErrorCategory::BadData, [&] { decode_csv(text, "x.csv", options); });
}

TEST(Csv, ReadsRowsAsSamplesWithAnySeparator) {
  for (const char* text : ways_to_write_one_table) {
    const Dataset table = decode_csv(text, "x.csv");
    EXPECT_EQ(table.samples, two_by_two()) << text;
    EXPECT_EQ(table.type, "text");
    EXPECT_TRUE(table.labels.empty());
  }
}

TEST(Csv, ReadsASingleColumn) {
  const Dataset table = decode_csv("value\n1.5\n2.5\n", "x.csv");
  EXPECT_EQ(table.features(), 1);
  EXPECT_EQ(table.size(), 2);
}

TEST(Csv, TakesLabelsFromAColumnByNameOrNumber) {
  for (const char* column : {"kind", "2", "-2"}) {
    const Dataset table = decode_csv("a,kind,b\n1,7,2\n3,-1,4\n", "x.csv", {.labels = column});
    EXPECT_EQ(table.samples, two_by_two()) << column;
    EXPECT_THAT(table.labels, ElementsAre(7, -1)) << column;
  }
  const Dataset numbered = decode_csv("3,x\n1,2\n", "x.csv", {.labels = "3"});  // a name goes before a number
  EXPECT_THAT(numbered.labels, ElementsAre(1));
}

TEST(Csv, LeavesLabelsThatNameNoColumnToTheCaller) {
  EXPECT_TRUE(decode_csv("1,2\n", "x.csv", {.labels = "3"}).labels.empty());
  EXPECT_TRUE(decode_csv("a,b\n1,2\n", "x.csv", {.labels = "labels.npy"}).labels.empty());
}

TEST(Csv, RefusesLabelsThatAreNotWhole) {
  EXPECT_THAT(csv_reader_refusal("a,k\n1,0.5\n", {.labels = "k"}),
              AllOf(HasSubstr("row 1 (line 2), column 2 (k)"), HasSubstr("integers")));
  EXPECT_THAT(csv_reader_refusal("k\n1\n", {.labels = "k"}), HasSubstr("only column is the labels"));
}

TEST(Csv, TakesLabelsThatAreNotWholeAsValuesIfAsked) {
  const Dataset table =
      decode_csv("a,kind,b\n1,0.5,2\n3,-1,4\n", "x.csv", {.labels = "kind", .real_labels = true});
  EXPECT_EQ(table.samples, two_by_two());
  EXPECT_THAT(table.values, ElementsAre(0.5, -1));
  EXPECT_TRUE(table.labels.empty());
  EXPECT_THAT(csv_reader_refusal("a,k\n1,inf\n", {.labels = "k", .real_labels = true}),
              HasSubstr("column 2 (k) is infinite"));
}

TEST(Csv, TakesKeysOfAnyTextFromAColumnByNameOrNumber) {
  for (const char* column : {"who", "2", "-2"}) {
    const Dataset table =
        decode_csv("a,who,b\n1,anna,2\n3,\"the \"\"last\"\", one\",4\n", "x.csv", {.key = column});
    EXPECT_EQ(table.samples, two_by_two()) << column;
    EXPECT_THAT(table.keys, ElementsAre("anna", "the \"last\", one")) << column;
  }
  const Dataset both = decode_csv("id,k,a,b\n007,1,1,2\nNA,2,3,4\n", "x.csv", {.labels = "k", .key = "id"});
  EXPECT_EQ(both.samples, two_by_two());
  EXPECT_THAT(both.keys, ElementsAre("007", "NA"));
  EXPECT_THAT(both.labels, ElementsAre(1, 2));
}

TEST(Csv, DoesNotTakeAKeyForAHeader) {
  const Dataset bare = decode_csv("anna,1,2\nbert,3,4\n", "x.csv", {.key = "1"});
  EXPECT_EQ(bare.samples, two_by_two());
  EXPECT_THAT(bare.keys, ElementsAre("anna", "bert"));
  const Dataset named = decode_csv("who,1,2\nanna,1,2\nbert,3,4\n", "x.csv", {.key = "who"});
  EXPECT_EQ(named.samples, two_by_two());
  EXPECT_THAT(named.keys, ElementsAre("anna", "bert"));
}

TEST(Csv, RefusesKeysThatAreNotThere) {
  EXPECT_THAT(csv_reader_refusal("who,a\nanna,1\n", {.key = "id"}),
              AllOf(HasSubstr("x.csv has no column 'id'"), HasSubstr("it has the columns who, a")));
  EXPECT_THAT(csv_reader_refusal("0,1,2,3,4,5,6,7,8,9,x,y\n1,1,1,1,1,1,1,1,1,1,1,1\n", {.key = "id"}),
              HasSubstr("8, 9 and 2 more"));
  EXPECT_THAT(csv_reader_refusal("1,2\n", {.key = "3"}), HasSubstr("columns 1 to 2 and no header"));
  EXPECT_THAT(csv_reader_refusal("who,a\nanna,1\n,2\n", {.key = "who"}),
              HasSubstr("row 2 (line 3), column 1 (who) is empty"));
  EXPECT_THAT(csv_reader_refusal("who\nanna\n", {.key = "who"}), HasSubstr("only column is the keys"));
  EXPECT_THAT(csv_reader_refusal("who,k\nanna,1\n", {.labels = "k", .key = "who"}),
              HasSubstr("keys and the labels"));
  EXPECT_THAT(csv_reader_refusal("who,k\n1,1\n", {.labels = "k", .key = "2"}),
              HasSubstr("both labels and keys"));
}

TEST(Csv, RefusesRaggedRowsWithTheirCounts) {
  EXPECT_THAT(
      csv_reader_refusal("1,2\n3,4,5\n"),
      AllOf(HasSubstr("x.csv"), HasSubstr("row 2 (line 2) has 3 columns"), HasSubstr("first row has 2")));
  EXPECT_THAT(csv_reader_refusal("a,b\n\n1\n"), HasSubstr("row 1 (line 3) has 1 columns"));
}

TEST(Csv, RefusesWhatIsNotANumber) {
  EXPECT_THAT(csv_reader_refusal("1,2\n3,four\n"),
              HasSubstr("row 2 (line 2), column 2: 'four' is not a number"));
  EXPECT_THAT(csv_reader_refusal("a,b\n1,2\nc,d\n"),
              HasSubstr("row 2 (line 3), column 1 (a): 'c' is not a number"));
  // A first row of data with a slip is not taken for a header.
  EXPECT_THAT(csv_reader_refusal("1.5,2,x\n1,2,3\n"),
              HasSubstr("row 1 (line 1), column 3: 'x' is not a number"));
  EXPECT_THAT(csv_reader_refusal("1,1,x\n1,2,3\n"), HasSubstr("'x' is not a number"));
}

TEST(Csv, RefusesMissingAndNotFiniteValuesUnlessAllowed) {
  EXPECT_THAT(csv_reader_refusal("1,2\nnan,4\n"), HasSubstr("row 2 (line 2), column 1 is NaN"));
  EXPECT_THAT(csv_reader_refusal("a,b\n1,-inf\n"), HasSubstr("row 1 (line 2), column 2 (b) is infinite"));
  EXPECT_THAT(csv_reader_refusal("1,1e999\n"), HasSubstr("infinite"));
  EXPECT_THAT(csv_reader_refusal("1,2\n3,\n"), HasSubstr("row 2 (line 2), column 2 is empty"));
  EXPECT_THAT(csv_reader_refusal("1,2\n3,NA\n"), HasSubstr("row 2 (line 2), column 2 is NaN"));
  const Dataset table = decode_csv("1,2\n,inf\n", "x.csv", {.allow_not_finite = true});
  EXPECT_TRUE(std::isnan(table.samples(0, 1)));
  EXPECT_TRUE(std::isinf(table.samples(1, 1)));
}

TEST(Csv, RefusesATableWithoutRows) {
  EXPECT_THAT(csv_reader_refusal("\n# nothing\n"), HasSubstr("no data"));
  EXPECT_THAT(csv_reader_refusal("a,b\n"), HasSubstr("only a header"));
}

TEST(Csv, RefusesATableLargerThanTheMemoryItMayTake) {
  const auto read = [] { decode_csv("1,2\n3,4\n", "x.csv", {.max_bytes = 31}); };
  EXPECT_THAT(sentence(ErrorCategory::OutOfMemory, read), HasSubstr("x.csv"));
  EXPECT_NO_THROW(decode_csv("1,2\n3,4\n", "x.csv", {.max_bytes = 32}));
}

}  // namespace
}  // namespace choir
