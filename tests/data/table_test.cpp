#include "choir/data/table.h"

#include <cmath>

#include "data/support.h"

namespace choir {
namespace {

constexpr const char* patients =
    "id,sex,age,smoker,seen,visits\n"
    "P1,f,34.5,yes,2024-03-01,2\n"
    "P2,m,?,no,2024-03-02,3\n"
    "P3,,51,NA,,1\n";

std::vector<ColumnType> types_of(const Table& table) {
  std::vector<ColumnType> types;
  for (const Column& column : table.columns) types.push_back(column.type);
  return types;
}

std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  return names;
}

TEST(Table, KnowsTheTypesOfItsColumns) {
  const Table table = decode_table(patients, "p.csv");
  EXPECT_EQ(table.rows(), 3);
  EXPECT_THAT(names_of(table), ElementsAre("id", "sex", "age", "smoker", "seen", "visits"));
  using enum ColumnType;
  EXPECT_THAT(types_of(table), ElementsAre(text, text, number, boolean, date, integer));
  EXPECT_THAT(table.columns[1].words, ElementsAre("f", "m", ""));
  EXPECT_EQ(table.columns[2].numbers[0], 34.5);
  EXPECT_TRUE(std::isnan(table.columns[2].numbers[1]));
  EXPECT_EQ(table.columns[3].numbers[0], 1);
  EXPECT_EQ(table.columns[3].numbers[1], 0);
  EXPECT_TRUE(table.columns[3].is_missing(2));
  EXPECT_EQ(table.columns[4].numbers[1] - table.columns[4].numbers[0], 1);
}

TEST(Table, CountsMissingCellsAndPrintsOthers) {
  const Table table = decode_table(patients, "p.csv");
  std::vector<Index> missing;
  for (const Column& column : table.columns) missing.push_back(column.missing());
  EXPECT_THAT(missing, ElementsAre(0, 1, 1, 1, 1, 0));
  EXPECT_EQ(table.columns[5].text(0), "2");
  EXPECT_EQ(table.columns[3].text(0), "yes");
  EXPECT_EQ(table.columns[4].text(1), "2024-03-02");
}

TEST(Table, FindsColumnsByNameAndNumber) {
  const Table table = decode_table(patients, "p.csv");
  EXPECT_EQ(table.find("age"), 2);
  EXPECT_EQ(table.find("1"), 0);
  EXPECT_EQ(table.find("-1"), 5);
  for (const char* word : {"Age", "0", "7", "-7", ""}) EXPECT_EQ(table.find(word), std::nullopt) << word;
  EXPECT_EQ(table.words_for(2), "column 3 (age)");
}

TEST(Table, OfOneTypeWithTheOthersIsTheWiderOne) {
  using enum ColumnType;
  EXPECT_EQ(joined(boolean, integer), integer);
  EXPECT_EQ(joined(number, integer), number);
  EXPECT_EQ(joined(number, text), text);
  EXPECT_EQ(joined(date, date), date);
  EXPECT_EQ(joined(date, integer), text);
  EXPECT_EQ(joined(boolean, date), text);
}

TEST(Table, OneWordMakesAColumnText) {
  const Table table = decode_table("a\n1\n2\nthree\n", "x.csv");
  EXPECT_EQ(table.columns[0].type, ColumnType::text);
  EXPECT_THAT(table.columns[0].words, ElementsAre("1", "2", "three"));
}

// A row of samples is no header for having words in it.
TEST(Table, TellsAHeaderFromARow) {
  EXPECT_TRUE(decode_table("id,sex\nP1,f\n", "x.csv").has_names());
  EXPECT_TRUE(decode_table("0,1,kind\n5,6,a\n", "x.csv").has_names());
  const Table bare = decode_table("P1,f,34\nP2,m,35\n", "x.csv");
  EXPECT_FALSE(bare.has_names());
  EXPECT_EQ(bare.rows(), 2);
  EXPECT_FALSE(decode_table("1,2\n3,4\n", "x.csv").has_names());
}

TEST(Table, ReadsCommasAsDecimalPoints) {
  const Table table = decode_table("ward;cost\nicu;1.234,5\ner;7,25\n", "x.csv", {.decimal = ','});
  EXPECT_THAT(table.columns[1].numbers, ElementsAre(1234.5, 7.25));
  const Table tabs = decode_table("ward\tcost\nicu\t1,5\n", "x.tsv", {.decimal = ','});
  EXPECT_THAT(tabs.columns[1].numbers, ElementsAre(1.5));
}

TEST(Table, TakesFurtherWordsForMissing) {
  const Table table = decode_table("a\n1\nnot done\n3\n", "x.csv", {.na = {"not done"}});
  EXPECT_EQ(table.columns[0].type, ColumnType::integer);
  EXPECT_EQ(table.columns[0].missing(), 1);
}

TEST(Table, QuotedCellsKeepTheirSeparators) {
  const Table table = decode_table("a,b\n\"x, \"\"y\"\"\",2\n", "x.csv");
  EXPECT_THAT(table.columns[0].words, ElementsAre("x, \"y\""));
}

TEST(Table, MembersOfJsonLinesAreColumns) {
  const Table table = decode_table(
      "{\"age\": 71, \"sex\": \"f\", \"smoker\": true}\n\n{\"sex\": \"m\", \"age\": null}\n", "x.ndjson");
  EXPECT_THAT(names_of(table), ElementsAre("age", "sex", "smoker"));
  EXPECT_EQ(table.columns[0].numbers[0], 71);
  EXPECT_TRUE(table.columns[0].is_missing(1));
  EXPECT_EQ(table.columns[2].type, ColumnType::boolean);
  EXPECT_TRUE(table.columns[2].is_missing(1));
}

TEST(Table, OfNoValuesIsOfNumbers) {
  const Table table = decode_table("a,b\n?,1\n,2\n", "x.csv");
  EXPECT_EQ(table.columns[0].type, ColumnType::number);
  EXPECT_EQ(table.columns[0].missing(), 2);
}

TEST(Table, RefusesRowsThatDoNotFit) {
  const auto refusal = [](const char* text, const char* name) {
    return sentence(ErrorCategory::BadData, [&] { decode_table(text, name); });
  };
  EXPECT_THAT(refusal("a,b\n1,2\n3\n", "x.csv"), HasSubstr("x.csv: row 2 (line 3) has 1 columns"));
  EXPECT_THAT(refusal("a,b\n", "x.csv"), HasSubstr("only a header"));
  EXPECT_THAT(refusal("\n# nothing\n", "x.csv"), HasSubstr("no data"));
  EXPECT_THAT(refusal("{\"a\": 1}\n{\"b\": 1}\n", "x.ndjson"), HasSubstr("line 2 has a member \"b\""));
  EXPECT_THAT(refusal("{\"a\": 1}\n{\"a\": [1]}\n", "x.ndjson"), HasSubstr("line 2: \"a\" is a array"));
  EXPECT_THAT(refusal("{\"a\": 1}\n[1, 2]\n", "x.ndjson"), HasSubstr("line 2 is not a JSON object"));
}

TEST(ReadTable, TakesArraysAsColumnsWithoutNames) {
  const Table table = read_table(fixture("int16.npy"));
  EXPECT_FALSE(table.has_names());
  EXPECT_EQ(table.rows(), 4);
  ASSERT_EQ(table.columns.size(), 3u);
  EXPECT_EQ(table.columns[0].type, ColumnType::integer);
  EXPECT_FALSE(read_text_table(fixture("int16.npy")).has_value());
}

TEST(ReadTable, LeavesListsInJsonLinesToTheReaderOfNumbers) {
  const TemporaryFolder folder;
  const std::string path = (folder / "x.ndjson").string();
  write_file_atomically(path, std::string_view("{\"x\": [1, 2.5], \"y\": 0}\n{\"x\": [3, 4], \"y\": 1}\n"));
  const Table table = read_table(path);
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_THAT(table.columns[1].numbers, ElementsAre(2.5, 4));
}

TEST(TakeRows, KeepsColumnsAndOrder) {
  const std::vector<Index> rows = {2, 0};
  const Table taken = take_rows(decode_table(patients, "p.csv"), rows);
  EXPECT_THAT(taken.columns[0].words, ElementsAre("P3", "P1"));
  EXPECT_THAT(taken.columns[5].numbers, ElementsAre(1, 2));
  EXPECT_EQ(taken.columns[3].type, ColumnType::boolean);
}

}  // namespace
}  // namespace choir
