// The recipe of a run, as far as it follows from what users ask for and from the names and types of columns:
// the same at all nodes, before anything is computed. What it takes from cells (means, categories) the nodes
// agree on afterwards (recipe_agreement.h).
//
//   const std::vector<TableFacts> facts = {facts_of(table, 0), ...};               // of all nodes' tables
//   const ChosenRecipe chosen = choose_recipe({.id = "patient", .all_texts = true}, facts);
//   chosen.recipe.features();                                       // without categories, which are not
//   known
#pragma once

#include <string>
#include <vector>

#include "choir/data/table.h"
#include "choir/model/recipe.h"

namespace choir {

// What a user says of columns: each by its name, by its number, or by the beginning of names, "lab_*".
struct RecipeWish {
  std::string id = {};
  std::string labels = {};
  std::vector<std::string> columns = {};  // empty: all
  std::vector<std::string> drop = {};
  std::vector<std::string> categorical = {};
  bool all_texts = false;  // all columns of words are categorical
  Missing missing = Missing::error;
  std::vector<std::string> na = {};
  char decimal = '.';
};

// What all nodes may know of one node's table.
struct TableFacts {
  NodeId node = 0;
  std::string source = {};
  std::vector<std::string> names = {};  // one per column; empty: there are none
  std::vector<ColumnType> types = {};
  std::vector<Index> without_cells = {};  // columns of which all cells are missing: they may be of any type

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(node, source, names, types, without_cells);
  }
};
TableFacts facts_of(const Table& table, NodeId node);

struct ChosenRecipe {
  Recipe recipe;
  std::vector<std::string> notes = {};  // types that were joined
};

// Columns are in the order of the first table, or of wish.columns. Throws Error(InvalidArgument) for wishes
// that fit no column, Error(BadData) that names node, file and column for a column that some tables have and
// others lack, and for a column of words that nobody called categorical.
ChosenRecipe choose_recipe(const RecipeWish& wish, const std::vector<TableFacts>& tables);

// " (it has the columns a, b, c)": for errors.
std::string columns_words(const std::vector<std::string>& names, std::size_t columns);

}  // namespace choir
