#include "choir/learn/tables/recipe_agreement.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/runtime/blocks/secure_sum/secure_sum.h"

namespace choir {
namespace {

bool fills_cells(const Recipe& recipe) {
  return recipe.missing == Missing::mean || recipe.missing == Missing::indicator;
}

// A row per column of numbers: a sum of few entries a row keeps small numbers beside large ones.
Matrix cells_of(const Recipe& recipe, const TablePart& mine) {
  Matrix cells = Matrix::Zero(std::ssize(recipe.numbers), 2);
  for (std::size_t i = 0; i < recipe.numbers.size() && mine.view; ++i) {
    const Column& column = mine.view->column(i);
    for (const Index row : mine.rows) {
      if (column.is_missing(row)) continue;
      cells(static_cast<Index>(i), 0) += 1;
      cells(static_cast<Index>(i), 1) += column.numbers[static_cast<std::size_t>(row)];
    }
  }
  return cells;
}

std::vector<WordCounts> word_counts_of(const Recipe& recipe, const TablePart& mine) {
  std::vector<WordCounts> all(recipe.categories.size());
  for (std::size_t i = 0; i < all.size() && mine.view; ++i) {
    const Column& column = mine.view->column(recipe.numbers.size() + i);
    for (const Index row : mine.rows) {
      if (!column.is_missing(row)) ++all[i][column.text(row)];
    }
  }
  return all;
}

std::string name_of_column(const ColumnPlace& place) {
  return place.name.empty() ? fmt::format("column {}", place.position + 1) : place.name;
}

// "12 of age, 7 of bmi"
std::string words_for(const std::vector<MissingCells>& missing) {
  constexpr std::size_t most_named = 10;
  std::string words;
  for (std::size_t i = 0; i < std::min(missing.size(), most_named); ++i)
    words += fmt::format("{}{} of {}", i == 0 ? "" : ", ", missing[i].count, missing[i].column);
  if (missing.size() > most_named)
    words += fmt::format(" and in {} columns more", missing.size() - most_named);
  return words;
}

}  // namespace

RecipeAgreement::RecipeAgreement(Recipe recipe, const TablePart& mine, const RecipeAgreementOptions& options)
    : recipe_(std::move(recipe)),
      options_(options),
      asks_for_means_(fills_cells(recipe_) && !recipe_.numbers.empty()),
      cells_(cells_of(recipe_, mine)),
      search_(word_counts_of(recipe_, mine), {.least = options.least, .samples = options.samples}) {}

std::optional<double> RecipeAgreement::limit() const {
  if (asks_for_means_) return std::nullopt;
  return search_.limit();
}

void RecipeAgreement::learn(const Matrix& total) {
  if (asks_for_means_) {
    learn_means(total);
    asks_for_means_ = false;
    return;
  }
  search_.learn(total);
  if (search_.is_over()) learn_categories();
}

void RecipeAgreement::learn_means(const Matrix& total) {
  for (std::size_t i = 0; i < recipe_.numbers.size(); ++i) {
    NumberColumn& column = recipe_.numbers[i];
    const auto at = static_cast<Index>(i);
    const auto present = static_cast<Index>(total(at, 0) + 0.5);
    if (present == 0)
      fail(ErrorCategory::BadData, "{} has no cell at any node; --drop it", name_of_column(column.place));
    column.fill = total(at, 1) / static_cast<double>(present);
    const Index missing = options_.samples - present;
    if (missing == 0) continue;
    column.has_marks = recipe_.missing == Missing::indicator;
    missing_.push_back({.column = name_of_column(column.place), .count = missing});
  }
  if (!missing_.empty())
    notes_.push_back(fmt::format("missing cells were filled with the means of all nodes: {} (of {} each)",
                                 words_for(missing_), options_.samples));
}

void RecipeAgreement::learn_categories() {
  for (std::size_t i = 0; i < recipe_.categories.size(); ++i) {
    CategoryColumn& column = recipe_.categories[i];
    Index told = 0;
    for (const auto& [word, count] : search_.found(i)) {
      column.categories.push_back(word);
      told += count;
    }
    const Index rare = search_.samples(i) - told;
    const Index missing = options_.samples - search_.samples(i);
    column.has_other = rare > 0;
    column.has_marks = missing > 0 && recipe_.missing == Missing::indicator;
    if (column.categories.empty()) {
      fail(ErrorCategory::BadData,
           "{} has no category that {} samples have; --drop it, or use a smaller --min-count",
           name_of_column(column.place), options_.least);
    }
    if (rare > 0)
      notes_.push_back(fmt::format("{}: {} samples have categories of fewer than {} and are in 'other'",
                                   name_of_column(column.place), rare, options_.least));
    if (missing == 0) continue;
    missing_.push_back({.column = name_of_column(column.place), .count = missing});
    notes_.push_back(fmt::format("{}: {} of {} cells are missing, and of no category", missing_.back().column,
                                 missing, options_.samples));
  }
}

bool asks_for_cells(const Recipe& recipe) { return fills_cells(recipe) || !recipe.categories.empty(); }

Task<AgreedRecipe> agreed_recipe(Node& node, Recipe recipe, TablePart mine, RecipeAgreementOptions options) {
  RecipeAgreement agreement(std::move(recipe), mine, options);
  while (!agreement.is_over()) {
    Matrix asked = agreement.ask();
    const double limit = agreement.limit().value_or(unknown_limit);
    const Matrix total = co_await secure_sum(node, std::move(asked), limit);
    agreement.learn(total);
  }
  AgreedRecipe agreed{
      .recipe = agreement.recipe(), .notes = agreement.notes(), .missing = agreement.missing()};
  co_return agreed;
}

AgreedRecipe pooled_recipe(const Recipe& recipe, const std::vector<TablePart>& parts,
                           const RecipeAgreementOptions& options) {
  std::vector<RecipeAgreement> nodes;
  for (const TablePart& part : parts) nodes.emplace_back(recipe, part, options);
  while (!nodes.front().is_over()) {
    Matrix total = nodes.front().ask();
    for (std::size_t j = 1; j < nodes.size(); ++j) total += nodes[j].ask();
    for (RecipeAgreement& node : nodes) node.learn(total);
  }
  return {
      .recipe = nodes.front().recipe(), .notes = nodes.front().notes(), .missing = nodes.front().missing()};
}

}  // namespace choir
