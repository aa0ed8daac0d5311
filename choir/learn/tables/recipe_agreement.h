// What a recipe takes from cells, agreed on by all nodes without showing any: means that fill missing cells,
// where there are any, and the categories that at least so many samples of the network have.
//
//   const Recipe agreed = co_await agreed_recipe(node, TableView(table, recipe), rows, {.least = 10});
//   const Recipe same = pooled_recipe(views, rows, {.least = 10});          // of tables in one place
//
// All sums are under masks (runtime/blocks/secure_sum): the network learns, for each column of numbers, how
// many cells are missing and the sum of the others; for categories what category_search.h says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "choir/learn/tables/category_search.h"
#include "choir/learn/tables/follow_recipe.h"
#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

struct RecipeAgreementOptions {
  Index least = 10;   // samples behind every category
  Index samples = 0;  // of all nodes
};

// Rows of a node's table; without a view a node without data, which learns what the others do.
struct TablePart {
  const TableView* view = nullptr;
  std::vector<Index> rows = {};
};

struct MissingCells {
  std::string column;
  Index count = 0;
};

// What one node asks, and what it makes of the answers, without the network.
class RecipeAgreement {
 public:
  RecipeAgreement(Recipe recipe, const TablePart& mine, const RecipeAgreementOptions& options);

  bool is_over() const { return !asks_for_means_ && search_.is_over(); }
  Matrix ask() const { return asks_for_means_ ? cells_ : search_.ask(); }
  // Nothing: the network finds one.
  std::optional<double> limit() const;
  // The sum over all nodes. Throws Error(BadData) if a column has no cell anywhere, or no category.
  void learn(const Matrix& total);

  // Once it is over.
  const Recipe& recipe() const { return recipe_; }
  // "missing cells were filled with the means of all nodes: 12 of age, 7 of bmi (of 300 each)"
  const std::vector<std::string>& notes() const { return notes_; }
  // How many cells are missing at all nodes, by column; of numbers, and of categories.
  const std::vector<MissingCells>& missing() const { return missing_; }

 private:
  void learn_means(const Matrix& total);
  void learn_categories();

  Recipe recipe_;
  RecipeAgreementOptions options_;
  bool asks_for_means_;
  Matrix cells_;  // for each column of numbers how many cells are there, and their sum
  CategorySearch search_;
  std::vector<std::string> notes_;
  std::vector<MissingCells> missing_;
};

struct AgreedRecipe {
  Recipe recipe;
  std::vector<std::string> notes = {};
  std::vector<MissingCells> missing = {};
};

// Whether anything is left to agree on.
bool asks_for_cells(const Recipe& recipe);

Task<AgreedRecipe> agreed_recipe(Node& node, Recipe recipe, TablePart mine, RecipeAgreementOptions options);
AgreedRecipe pooled_recipe(const Recipe& recipe, const std::vector<TablePart>& parts,
                           const RecipeAgreementOptions& options);

}  // namespace choir
