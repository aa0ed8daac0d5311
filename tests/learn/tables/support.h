// Tables for the tests of recipes.
#pragma once

#include <numeric>
#include <string>
#include <vector>

#include "codec/support.h"

#include "choir/data/table.h"
#include "choir/learn/tables/choose_recipe.h"
#include "choir/learn/tables/follow_recipe.h"

namespace choir {

inline std::vector<Index> every_row(const Table& table) {
  std::vector<Index> rows(static_cast<std::size_t>(table.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

inline ChosenRecipe chosen_for(const std::vector<Table>& tables, const RecipeWish& wish) {
  std::vector<TableFacts> facts;
  for (const Table& table : tables) facts.push_back(facts_of(table, static_cast<NodeId>(facts.size())));
  return choose_recipe(wish, facts);
}

}  // namespace choir
