#include "choir/learn/tables/choose_recipe.h"

#include "learn/tables/support.h"

namespace choir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* patients = "id,sex,lab_a,lab_b,smoker,kind\nP1,f,1,2.5,yes,sick\nP2,m,3,4,no,well\n";

Table named(const char* text, const std::string& name) { return decode_table(text, name); }

std::vector<std::string> numbers_of(const Recipe& recipe) {
  std::vector<std::string> names;
  for (const NumberColumn& column : recipe.numbers) names.push_back(column.place.name);
  return names;
}

std::vector<std::string> categories_of(const Recipe& recipe) {
  std::vector<std::string> names;
  for (const CategoryColumn& column : recipe.categories) names.push_back(column.place.name);
  return names;
}

std::string refusal(const std::vector<Table>& tables, const RecipeWish& wish, ErrorCategory category) {
  return sentence(category, [&] { chosen_for(tables, wish); });
}

TEST(ChooseRecipe, LeavesIdentifiersAndLabelsOut) {
  const Recipe recipe =
      chosen_for({named(patients, "p.csv")}, {.id = "id", .labels = "kind", .all_texts = true}).recipe;
  EXPECT_THAT(numbers_of(recipe), ElementsAre("lab_a", "lab_b", "smoker"));
  EXPECT_THAT(categories_of(recipe), ElementsAre("sex"));
  EXPECT_EQ(recipe.id, "id");
  EXPECT_EQ(recipe.label, "kind");
  EXPECT_EQ(recipe.file_columns, 6);
  EXPECT_THAT(recipe.left_out, IsEmpty());
}

TEST(ChooseRecipe, TakesColumnsByNameNumberAndBeginning) {
  const std::vector<Table> tables = {named(patients, "p.csv")};
  EXPECT_THAT(numbers_of(chosen_for(tables, {.columns = {"smoker", "lab_*"}}).recipe),
              ElementsAre("smoker", "lab_a", "lab_b"));
  EXPECT_THAT(numbers_of(chosen_for(tables, {.columns = {"4", "-2"}}).recipe),
              ElementsAre("lab_b", "smoker"));
  const Recipe rest = chosen_for(tables, {.drop = {"id", "kind", "sex", "lab_b"}}).recipe;
  EXPECT_THAT(numbers_of(rest), ElementsAre("lab_a", "smoker"));
  EXPECT_THAT(rest.left_out, ElementsAre("id", "sex", "lab_b", "kind"));
}

TEST(ChooseRecipe, RefusesWishesThatFitNoColumn) {
  const std::vector<Table> tables = {named(patients, "p.csv")};
  using enum ErrorCategory;
  EXPECT_THAT(refusal(tables, {.id = "patient"}, InvalidArgument), HasSubstr("--id names 'patient'"));
  EXPECT_THAT(refusal(tables, {.id = "patient"}, InvalidArgument), HasSubstr("id, sex, lab_a"));
  EXPECT_THAT(refusal(tables, {.drop = {"x*"}}, InvalidArgument), HasSubstr("--drop names 'x*'"));
  EXPECT_THAT(refusal(tables, {.columns = {"9"}}, InvalidArgument), HasSubstr("--columns names '9'"));
  EXPECT_THAT(refusal(tables, {.id = "id", .labels = "1"}, InvalidArgument), HasSubstr("the same column"));
  EXPECT_THAT(refusal(tables, {.columns = {"id"}, .drop = {"id"}}, InvalidArgument), HasSubstr("no column"));
}

TEST(ChooseRecipe, RefusesWordsThatNobodyCalledCategorical) {
  const std::string said = refusal({named(patients, "p.csv")}, {.id = "id"}, ErrorCategory::BadData);
  EXPECT_THAT(said, HasSubstr("column 2 (sex) of p.csv holds words"));
  EXPECT_THAT(said, HasSubstr("--categorical sex"));
}

TEST(ChooseRecipe, OrderIsThatOfTheFirstTable) {
  const std::vector<Table> tables = {named("a,b\n1,2\n", "0.csv"), named("b,a\n4,3\n", "1.csv")};
  EXPECT_THAT(numbers_of(chosen_for(tables, {}).recipe), ElementsAre("a", "b"));
}

TEST(ChooseRecipe, NamesNodeFileAndColumnThatDiffer) {
  const auto said = [](const char* first, const char* second) {
    return refusal({named(first, "0.csv"), named(second, "1.csv")}, {}, ErrorCategory::BadData);
  };
  EXPECT_THAT(said("a,b\n1,2\n", "a\n1\n"), HasSubstr("node 1: 1.csv has no column 'b'"));
  EXPECT_THAT(said("a,b\n1,2\n", "a,b,c\n1,2,3\n"),
              HasSubstr("node 1: 1.csv has a column 'c' that 0.csv of node 0"));
  EXPECT_THAT(said("a,b\n1,2\n", "a,B\n1,2\n"), HasSubstr("node 1: 1.csv has no column 'b'"));
  EXPECT_THAT(said("a,b\n1,2\n", "1,2\n3,4\n"), HasSubstr("node 1: 1.csv has no header"));
  EXPECT_THAT(said("1,2\n3,4\n", "1,2,3\n4,5,6\n"), HasSubstr("node 1: 1.csv has 3 columns"));
}

// What nobody learns from may differ.
TEST(ChooseRecipe, ColumnsThatAreNotUsedNeedNotBeEverywhere) {
  const std::vector<Table> tables = {named("a,b,note\n1,2,x\n", "0.csv"), named("a,b\n1,2\n", "1.csv")};
  EXPECT_THAT(numbers_of(chosen_for(tables, {.columns = {"a", "b"}}).recipe), ElementsAre("a", "b"));
}

TEST(ChooseRecipe, JoinsTypesAndSaysSo) {
  const std::vector<Table> tables = {named("a,b\n1,2\n", "0.csv"), named("a,b\n1.5,x\n", "1.csv")};
  const ChosenRecipe chosen = chosen_for(tables, {.all_texts = true});
  EXPECT_THAT(numbers_of(chosen.recipe), ElementsAre("a"));
  EXPECT_THAT(categories_of(chosen.recipe), ElementsAre("b"));
  EXPECT_THAT(chosen.notes, ElementsAre(HasSubstr("column 1 (a)"), HasSubstr("taken as text")));
  EXPECT_THAT(refusal(tables, {}, ErrorCategory::BadData), HasSubstr("node 1: column 2 (b) of 1.csv"));
}

// A hospital that has none of a column's cells does not make words of the others' dates.
TEST(ChooseRecipe, ColumnsWithoutCellsAreOfTheOthersType) {
  const std::vector<Table> tables = {named("a,seen\n1,?\n2,\n", "0.csv"),
                                     named("a,seen\n3,2024-03-01\n", "1.csv")};
  const ChosenRecipe chosen = chosen_for(tables, {});
  EXPECT_THAT(numbers_of(chosen.recipe), ElementsAre("a", "seen"));
  EXPECT_THAT(chosen.notes, IsEmpty());
}

TEST(ChooseRecipe, RefusesAHeaderThatSaysANameTwice) {
  Table twice = named("a,b\n1,2\n", "0.csv");
  twice.columns[1].name = "a";
  EXPECT_THAT(refusal({twice}, {}, ErrorCategory::BadData), HasSubstr("two columns called 'a'"));
}

}  // namespace
}  // namespace choir
