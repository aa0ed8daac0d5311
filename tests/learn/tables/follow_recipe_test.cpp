#include "choir/learn/tables/follow_recipe.h"

#include "learn/tables/support.h"

namespace choir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// age and its mark; f, m; icu, other.
Recipe full_recipe() {
  Recipe recipe;
  recipe.numbers = {{.place = {.name = "age", .position = 1}, .fill = 50, .has_marks = true},
                    {.place = {.name = "seen", .position = 4}}};
  recipe.categories = {{.place = {.name = "sex", .position = 2}, .categories = {"f", "m"}},
                       {.place = {.name = "ward", .position = 3}, .categories = {"icu"}, .has_other = true}};
  recipe.id = "id";
  recipe.label = "kind";
  recipe.left_out = {"note"};
  recipe.file_columns = 7;
  recipe.missing = Missing::indicator;
  return recipe;
}

constexpr const char* rows_of_fit =
    "id,age,sex,ward,seen,kind,note\nP1,34,f,icu,1970-01-02,0,x\nP2,,m,er,1970-01-11,1,y\n";

Samples samples_of(const char* text, const Recipe& recipe) {
  const Table table = decode_table(text, "x.csv");
  return TableView(table, recipe).samples(every_row(table)).samples;
}

Samples truth() {
  Samples samples(7, 2);  // age, seen, age missing, sex=f, sex=m, ward=icu, ward=other
  samples << 34, 50, 1, 10, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1;
  return samples;
}

TEST(FollowRecipe, MakesEachColumnNumbers) { EXPECT_EQ(samples_of(rows_of_fit, full_recipe()), truth()); }

TEST(FollowRecipe, FindsColumnsInAnyOrder) {
  EXPECT_EQ(samples_of("seen,ward,sex,age\n1970-01-02,icu,f,34\n1970-01-11,er,m,?\n", full_recipe()),
            truth());
}

TEST(FollowRecipe, RefusesColumnsThatAreMissingOrNew) {
  const auto said = [](const char* text) {
    const Table table = decode_table(text, "x.csv");
    const Recipe recipe = full_recipe();
    return sentence(ErrorCategory::BadData, [&] { TableView(table, recipe, "node 3: "); });
  };
  EXPECT_THAT(said("age,sex,ward\n1,f,er\n"),
              HasSubstr("node 3: x.csv has no column 'seen' (it has the columns age"));
  EXPECT_THAT(said("age,sex,ward,seen,bmi\n1,f,er,1970-01-02,3\n"),
              HasSubstr("node 3: x.csv has a column 'bmi'"));
  EXPECT_THAT(said("age,sex,ward,seen\nold,f,er,1970-01-02\n"),
              HasSubstr("column 1 (age) must hold numbers, but row 1 holds 'old'"));
  EXPECT_THAT(said("age,sex,ward,seen\ninf,f,er,1970-01-02\n"), HasSubstr("infinite"));
}

TEST(FollowRecipe, GoesByPositionWhereThereAreNoNames) {
  Recipe recipe;
  recipe.numbers = {{.place = {.name = "", .position = 2}}, {.place = {.name = "", .position = 0}}};
  recipe.file_columns = 3;
  Samples both(2, 1);
  both << 3, 1;
  EXPECT_EQ(samples_of("1,2,3\n", recipe), both);
  both << 9, 8;
  EXPECT_EQ(samples_of("8,9\n", recipe), both) << "just the columns that are used, in their order";
  const Table wrong = decode_table("1,2,3,4\n", "x.csv");
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { TableView(wrong, recipe); }),
              HasSubstr("has 4 columns"));
}

TEST(FollowRecipe, SaysWhichCellIsMissing) {
  Recipe recipe = full_recipe();
  recipe.missing = Missing::error;
  const Table table = decode_table(rows_of_fit, "x.csv");
  const TableView view(table, recipe);
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { view.usable_rows(); }),
              HasSubstr("x.csv: row 2, column 2 (age) is missing"));
  recipe.missing = Missing::drop;
  EXPECT_THAT(TableView(table, recipe).usable_rows(), ElementsAre(0));
}

TEST(FollowRecipe, CountsWhatItFillsAndDoesNotKnow) {
  const Table table = decode_table("age,sex,ward,seen\n?,x,er,1970-01-02\n1,?,icu,1970-01-02\n", "x.csv");
  const Recipe recipe = full_recipe();
  const Followed followed = TableView(table, recipe).samples(every_row(table));
  EXPECT_EQ(followed.filled, 2);
  EXPECT_THAT(followed.unknown, ElementsAre(1, 0));
  EXPECT_EQ(followed.samples.block(3, 0, 2, 2), Matrix::Zero(2, 2)) << "of no category";
}

TEST(Identifiers, AreWordsOfEveryRow) {
  const Table table = decode_table("id,a\n7,1\n?,2\n", "x.csv");
  const std::vector<Index> first = {0};
  EXPECT_THAT(identifiers(table, table.columns[0], first), ElementsAre("7"));
  EXPECT_THAT(
      sentence(ErrorCategory::BadData, [&] { identifiers(table, table.columns[0], every_row(table)); }),
      HasSubstr("row 2 has no id"));
}

}  // namespace
}  // namespace choir
