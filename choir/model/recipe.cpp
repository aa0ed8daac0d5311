#include "choir/model/recipe.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "choir/base/error.h"

namespace choir {
namespace {

std::string shown_name(const ColumnPlace& place) {
  return place.name.empty() ? fmt::format("column {}", place.position + 1) : place.name;
}

Index features_of(const CategoryColumn& column) {
  return std::ssize(column.categories) + (column.has_other ? 1 : 0) + (column.has_marks ? 1 : 0);
}

}  // namespace

constexpr auto missing_names = words_in_order<Missing::indicator>("error", "mean", "drop", "indicator");
ChoiceNames<Missing> choice_names(Missing) { return missing_names; }

bool Recipe::has_names() const {
  const std::vector<ColumnPlace> all = places();
  return !all.empty() && !all.front().name.empty();
}

bool Recipe::is_plain() const {
  return categories.empty() && missing == Missing::error && na.empty() && decimal == '.';
}

Index Recipe::indicators() const {
  Index count = 0;
  for (const NumberColumn& column : numbers) count += column.has_marks ? 1 : 0;
  for (const CategoryColumn& column : categories) count += features_of(column);
  return count;
}

std::vector<std::string> Recipe::feature_names() const {
  std::vector<std::string> names;
  for (const NumberColumn& column : numbers) names.push_back(shown_name(column.place));
  for (const NumberColumn& column : numbers) {
    if (column.has_marks) names.push_back(shown_name(column.place) + " missing");
  }
  for (const CategoryColumn& column : categories) {
    const std::string name = shown_name(column.place);
    for (const std::string& category : column.categories) names.push_back(name + "=" + category);
    if (column.has_other) names.push_back(name + "=other");
    if (column.has_marks) names.push_back(name + " missing");
  }
  return names;
}

std::vector<ColumnPlace> Recipe::places() const {
  std::vector<ColumnPlace> all;
  for (const NumberColumn& column : numbers) all.push_back(column.place);
  for (const CategoryColumn& column : categories) all.push_back(column.place);
  return all;
}

Recipe plain_recipe(const std::vector<std::string>& names) {
  Recipe recipe;
  for (const std::string& name : names)
    recipe.numbers.push_back({.place = {.name = name, .position = std::ssize(recipe.numbers)}});
  recipe.file_columns = std::ssize(names);
  return recipe;
}

void validate(const Recipe& recipe) {
  if (recipe.is_empty()) throw Error(ErrorCategory::InvalidArgument, "a recipe has no columns");
  const auto finite = [](const NumberColumn& column) { return std::isfinite(column.fill); };
  if (!std::ranges::all_of(recipe.numbers, finite))
    throw Error(ErrorCategory::InvalidArgument, "a recipe fills cells with what is no finite number");
  if (recipe.decimal != '.' && recipe.decimal != ',')
    throw Error(ErrorCategory::InvalidArgument, "a recipe's decimal point is neither . nor ,");
  const bool named = recipe.has_names();
  for (const ColumnPlace& place : recipe.places()) {
    if (place.name.empty() == named || place.position < 0)
      throw Error(ErrorCategory::InvalidArgument, "a recipe has names for some of its columns only");
  }
  for (const CategoryColumn& column : recipe.categories) {
    const auto ascend = std::ranges::adjacent_find(column.categories, std::greater_equal<>());
    if (ascend == column.categories.end() && features_of(column) > 0) continue;
    fail(ErrorCategory::InvalidArgument, "the categories of {} in a recipe do not ascend, or there are none",
         shown_name(column.place));
  }
}

}  // namespace choir
