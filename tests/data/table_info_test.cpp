#include "choir/data/table_info.h"

#include "data/support.h"

namespace choir {
namespace {

using ::testing::Pair;

Table ward_of(Index rows) {
  std::string text = "id,sex,age,unit,count\n";
  for (Index row = 0; row < rows; ++row)
    text += fmt::format("P{},{},{},mg,{}\n", row, row % 4 == 0 ? "f" : "m",
                        row % 7 == 3 ? "NA" : fmt::format("{}.5", row), row + 17);
  return decode_table(text, "p.csv");
}

TEST(DescribeColumns, SaysWhatIsInThem) {
  const std::vector<ColumnInfo> columns = describe_columns(ward_of(40));
  EXPECT_EQ(columns[1].type, ColumnType::text);
  EXPECT_EQ(columns[1].distinct, 2);
  EXPECT_THAT(columns[1].most_frequent, ElementsAre(Pair("m", 30), Pair("f", 10)));
  EXPECT_EQ(columns[2].missing, 6);
  EXPECT_EQ(columns[2].distinct, 34);
  EXPECT_TRUE(columns[3].is_constant);
  EXPECT_FALSE(columns[2].is_constant);
}

TEST(DescribeColumns, FindsIdentifiers) {
  const std::vector<ColumnInfo> columns = describe_columns(ward_of(40));
  std::vector<bool> found;
  for (const ColumnInfo& column : columns) found.push_back(column.looks_like_identifier);
  EXPECT_THAT(found, ElementsAre(true, false, false, false, true));
  EXPECT_THAT(columns[0].advice(), HasSubstr("--id"));
  for (const ColumnInfo& column : describe_columns(ward_of(10)))
    EXPECT_FALSE(column.looks_like_identifier) << "ten rows say little: " << column.name;
}

// numpy: np.percentile([1, 2, 3, 10], [0, 25, 50, 75, 100]).
TEST(DescribeColumns, QuartilesAreThoseOfNumpy) {
  const Table table = decode_table("a\n3\n1\n10\n2\n", "x.csv");
  EXPECT_THAT(describe_columns(table)[0].quartiles, ElementsAre(1, 1.75, 2.5, 4.75, 10));
}

TEST(DescribeColumns, CallsColumnsWithoutNamesByNumber) {
  EXPECT_EQ(describe_columns(decode_table("1,2\n3,4\n", "x.csv"))[1].name, "column 2");
}

TEST(Describe, SumsUpATable) {
  const DataInfo info = describe(decode_table("a,b,c\n1,x,inf\n3,x,\n", "x.csv"));
  EXPECT_EQ(info.samples, 2);
  EXPECT_EQ(info.features, 3);
  EXPECT_EQ(info.minimum, 1);
  EXPECT_EQ(info.maximum, 3);
  EXPECT_EQ(info.mean, 2);
  EXPECT_EQ(info.nan_count, 1);
  EXPECT_EQ(info.infinite_count, 1);
  EXPECT_EQ(info.constant_features, 1);
}

TEST(ClassCounts, CountsWordsAndNumbers) {
  const Table table = decode_table("kind,n\nb,10\na,9\nb,10\n?,\n", "x.csv");
  EXPECT_THAT(class_counts(table.columns[0]), ElementsAre(Pair("a", 1), Pair("b", 2)));
  EXPECT_THAT(class_counts(table.columns[1]), ElementsAre(Pair("9", 1), Pair("10", 2)));
}

}  // namespace
}  // namespace choir
