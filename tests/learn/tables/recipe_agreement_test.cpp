#include "choir/learn/tables/recipe_agreement.h"

#include <mutex>

#include "learn/tables/support.h"

#include "choir/graph/topology.h"
#include "choir/learn/fit_nodes.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr KindSet kinds_of_agreement = {Kind::masked, Kind::totals, Kind::control};

std::vector<Table> hospitals() {
  return {decode_table("age,bmi,ward\n10,20,icu\n?,21,er\n30,22,icu\n", "0.csv"),
          decode_table("age,bmi,ward\n41,23,icu\n?,24,?\n", "1.csv"),
          decode_table("age,bmi,ward\n60,25.5,zoo\n", "2.csv")};
}

struct Agreed {
  std::vector<AgreedRecipe> nodes;
  RunReport report;
};

Agreed agree(const std::vector<Table>& tables, const Recipe& recipe, const RecipeAgreementOptions& options) {
  SimEngine engine;
  const Graph graph = make_topology("line", std::ssize(tables), 0);
  std::vector<TableView> views;
  for (const Table& table : tables) views.emplace_back(table, recipe);
  Agreed agreed;
  auto fit = fit_nodes<AgreedRecipe>(
      engine, graph, {.method = "test", .kinds = kinds_of_agreement}, {}, [&](Node& node) {
        const auto j = static_cast<std::size_t>(node.id());
        return agreed_recipe(node, recipe, {.view = &views[j], .rows = every_row(tables[j])}, options);
      });
  for (auto& node : fit.nodes) agreed.nodes.push_back(std::move(*node));
  agreed.report = std::move(fit.report);
  return agreed;
}

Recipe wished(Missing missing) {
  return chosen_for(hospitals(), {.all_texts = true, .missing = missing}).recipe;
}

TEST(RecipeAgreement, FillsWithTheMeanOfAllNodes) {
  const Agreed agreed = agree(hospitals(), wished(Missing::mean), {.least = 1, .samples = 6});
  for (const AgreedRecipe& node : agreed.nodes) {
    EXPECT_NEAR(node.recipe.numbers[0].fill, (10 + 30 + 41 + 60) / 4.0, 1e-12);
    EXPECT_NEAR(node.recipe.numbers[1].fill, (20 + 21 + 22 + 23 + 24 + 25.5) / 6, 1e-12);
    EXPECT_FALSE(node.recipe.numbers[0].has_marks);
    EXPECT_THAT(node.recipe.categories[0].categories, ElementsAre("er", "icu", "zoo"));
    EXPECT_FALSE(node.recipe.categories[0].has_other);
    EXPECT_EQ(node.recipe, agreed.nodes[0].recipe);
    EXPECT_THAT(node.notes, ElementsAre(HasSubstr("2 of age (of 6 each)"), HasSubstr("ward: 1 of 6 cells")));
  }
}

TEST(RecipeAgreement, RareCategoriesAreOthers) {
  const Agreed agreed = agree(hospitals(), wished(Missing::mean), {.least = 2, .samples = 6});
  const CategoryColumn& ward = agreed.nodes[2].recipe.categories[0];
  EXPECT_THAT(ward.categories, ElementsAre("icu"));
  EXPECT_TRUE(ward.has_other);
  for (const std::string& note : agreed.nodes[2].notes) EXPECT_THAT(note, ::testing::Not(HasSubstr("zoo")));
}

TEST(RecipeAgreement, MarksColumnsWhoseCellsAreMissingAnywhere) {
  const Agreed agreed = agree(hospitals(), wished(Missing::indicator), {.least = 1, .samples = 6});
  const Recipe& recipe = agreed.nodes[2].recipe;
  EXPECT_TRUE(recipe.numbers[0].has_marks) << "also where the node itself has all cells";
  EXPECT_FALSE(recipe.numbers[1].has_marks);
  EXPECT_TRUE(recipe.categories[0].has_marks);
  EXPECT_EQ(recipe.features(), 2 + 1 + 3 + 1);
}

TEST(RecipeAgreement, OfTablesInOnePlaceIsTheSame) {
  const std::vector<Table> tables = hospitals();
  const Recipe recipe = wished(Missing::indicator);
  std::vector<TableView> views;
  for (const Table& table : tables) views.emplace_back(table, recipe);
  std::vector<TablePart> parts;
  for (const TableView& view : views) parts.push_back({.view = &view, .rows = every_row(view.table())});
  const RecipeAgreementOptions options{.least = 2, .samples = 6};
  const Recipe pooled = pooled_recipe(recipe, parts, options).recipe;
  const Recipe agreed = agree(tables, recipe, options).nodes[0].recipe;
  ASSERT_EQ(pooled.numbers.size(), agreed.numbers.size());
  for (std::size_t i = 0; i < pooled.numbers.size(); ++i)
    EXPECT_NEAR(pooled.numbers[i].fill, agreed.numbers[i].fill, 1e-12);
  EXPECT_EQ(pooled.categories, agreed.categories);
}

// A small column beside a large one: its mean keeps its digits.
TEST(RecipeAgreement, ColumnsOfDifferentSizeKeepTheirDigits) {
  const std::vector<Table> tables = {decode_table("a,b\n1e9,1e-6\n?,3e-6\n", "0.csv"),
                                     decode_table("a,b\n2e9,?\n", "1.csv")};
  const Recipe recipe = chosen_for(tables, {.missing = Missing::mean}).recipe;
  const Agreed agreed = agree(tables, recipe, {.least = 1, .samples = 3});
  EXPECT_NEAR(agreed.nodes[0].recipe.numbers[1].fill, 2e-6, 1e-18);
}

TEST(RecipeAgreement, RefusesColumnsWithoutACell) {
  const std::vector<Table> tables = {decode_table("a,b\n?,1\n", "0.csv"),
                                     decode_table("a,b\n?,2\n", "1.csv")};
  const Recipe recipe = chosen_for(tables, {.missing = Missing::mean}).recipe;
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { agree(tables, recipe, {.least = 1, .samples = 2}); }),
              HasSubstr("a has no cell at any node"));
  const Recipe wards = wished(Missing::mean);
  EXPECT_THAT(
      sentence(ErrorCategory::BadData, [&] { agree(hospitals(), wards, {.least = 9, .samples = 6}); }),
      HasSubstr("ward has no category that 9 samples have"));
}

TEST(RecipeAgreement, SendsMaskedWordsAndTotalsAlone) {
  const Agreed agreed = agree(hospitals(), wished(Missing::mean), {.least = 1, .samples = 6});
  EXPECT_EQ(agreed.report.ledger.kinds(), kinds_of_agreement);
  EXPECT_GT(agreed.report.ledger.total(Kind::masked).messages, 0u);
  EXPECT_FALSE(asks_for_cells(chosen_for({hospitals()[0]}, {.columns = {"bmi"}}).recipe));
}

// Two pairs of tables that differ in who has what, and not in their sums: what leaves the first node is
// masked words whose values say nothing, so the only thing that could tell the pairs apart is their number
// and size.
TEST(RecipeAgreement, WhatANodeSendsDoesNotDependOnItsCells) {
  const std::vector<Table> one = {decode_table("a,w\n1,x\n?,y\n", "0.csv"),
                                  decode_table("a,w\n5,x\n3,y\n", "1.csv")};
  const std::vector<Table> other = {decode_table("a,w\n5,y\n3,y\n", "0.csv"),
                                    decode_table("a,w\n1,x\n?,x\n", "1.csv")};
  const Recipe recipe = chosen_for(one, {.all_texts = true, .missing = Missing::mean}).recipe;
  const RecipeAgreementOptions options{.least = 1, .samples = 4};
  EXPECT_EQ(agree(one, recipe, options).report.ledger, agree(other, recipe, options).report.ledger);
}

}  // namespace
}  // namespace choir
