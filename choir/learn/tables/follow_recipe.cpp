#include "choir/learn/tables/follow_recipe.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/learn/tables/choose_recipe.h"

namespace choir {
namespace {

std::vector<std::string> column_names(const Table& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  return names;
}

std::vector<Index> all_rows(Index count) {
  std::vector<Index> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

}  // namespace

TableView::TableView(const Table& table, const Recipe& recipe, std::string where)
    : table_(&table), recipe_(&recipe), where_(std::move(where)) {
  recipe.has_names() && table.has_names() ? find_by_name() : find_by_position();
  require_numbers();
}

void TableView::find_by_name() {
  const auto find = [&](const std::string& name) -> std::optional<Index> {
    const auto found = std::ranges::find(table_->columns, name, &Column::name);
    if (found == table_->columns.end()) return std::nullopt;
    return found - table_->columns.begin();
  };
  for (const ColumnPlace& place : recipe_->places()) {
    const std::optional<Index> column = find(place.name);
    if (!column) {
      fail(ErrorCategory::BadData, "{}{} has no column '{}'{}", where_, table_->source, place.name,
           columns_words(column_names(*table_), table_->columns.size()));
    }
    places_.push_back(*column);
  }
  if (!recipe_->id.empty()) id_ = find(recipe_->id);
  if (!recipe_->label.empty()) label_ = find(recipe_->label);
  refuse_others();
}

// A column that nobody knows may be one that was renamed.
void TableView::refuse_others() const {
  for (Index i = 0; i < std::ssize(table_->columns); ++i) {
    const std::string& name = table_->columns[static_cast<std::size_t>(i)].name;
    if (std::ranges::count(places_, i) > 0 || i == id_ || i == label_) continue;
    if (std::ranges::count(recipe_->left_out, name) > 0) continue;
    fail(ErrorCategory::BadData,
         "{}{} has a column '{}' that the data of the fit did not have; use a file without it", where_,
         table_->source, name);
  }
}

void TableView::find_by_position() {
  const std::vector<ColumnPlace> wanted = recipe_->places();
  const Index columns = std::ssize(table_->columns);
  if (columns == recipe_->file_columns) {
    for (const ColumnPlace& place : wanted) places_.push_back(place.position);
    // Numbers are what columns without names are called; names, where only the recipe has them.
    if (!recipe_->has_names()) {
      if (!recipe_->id.empty()) id_ = table_->find(recipe_->id);
      if (!recipe_->label.empty()) label_ = table_->find(recipe_->label);
    }
    return;
  }
  if (columns != std::ssize(wanted)) {
    fail(ErrorCategory::BadData, "{}{} has {} columns, but {} were used, of {} in the file of the fit",
         where_, table_->source, columns, wanted.size(), recipe_->file_columns);
  }
  // In the order in which they stood there.
  std::vector<Index> positions;
  for (const ColumnPlace& place : wanted) positions.push_back(place.position);
  std::ranges::sort(positions);
  for (const ColumnPlace& place : wanted)
    places_.push_back(std::ranges::lower_bound(positions, place.position) - positions.begin());
}

void TableView::require_numbers() const {
  for (std::size_t i = 0; i < recipe_->numbers.size(); ++i) {
    const Column& column = this->column(i);
    if (column.type == ColumnType::text) {
      const auto word =
          std::ranges::find_if(column.words, [](const std::string& text) { return !text.empty(); });
      fail(ErrorCategory::BadData, "{}{}: {} must hold numbers, but row {} holds '{}'", where_,
           table_->source, table_->words_for(places_[i]), word - column.words.begin() + 1,
           word->substr(0, 40));
    }
    const auto infinite =
        std::ranges::find_if(column.numbers, [](double value) { return std::isinf(value); });
    if (infinite == column.numbers.end()) continue;
    fail(ErrorCategory::BadData, "{}{}: row {}, {} is infinite; remove or replace such values", where_,
         table_->source, infinite - column.numbers.begin() + 1, table_->words_for(places_[i]));
  }
}

const Column& TableView::column(std::size_t i) const {
  return table_->columns[static_cast<std::size_t>(places_[i])];
}

const Column* TableView::optional(std::optional<Index> column) const {
  return column ? &table_->columns[static_cast<std::size_t>(*column)] : nullptr;
}

bool TableView::has_missing(Index row) const {
  return std::ranges::any_of(places_, [&](Index column) {
    return table_->columns[static_cast<std::size_t>(column)].is_missing(row);
  });
}

void TableView::refuse_missing(Index row) const {
  const auto missing = std::ranges::find_if(places_, [&](Index column) {
    return table_->columns[static_cast<std::size_t>(column)].is_missing(row);
  });
  fail(
      ErrorCategory::BadData,
      "{}{}: row {}, {} is missing; fill it or remove the row, or fit with --missing mean, drop or indicator",
      where_, table_->source, row + 1, table_->words_for(*missing));
}

std::vector<Index> TableView::usable_rows() const {
  std::vector<Index> rows = all_rows(table_->rows());
  if (recipe_->missing == Missing::mean || recipe_->missing == Missing::indicator) return rows;
  const auto missing = [&](Index row) { return has_missing(row); };
  if (recipe_->missing == Missing::error) {
    const auto first = std::ranges::find_if(rows, missing);
    if (first != rows.end()) refuse_missing(*first);
    return rows;
  }
  std::erase_if(rows, missing);
  if (rows.empty())
    fail(ErrorCategory::BadData,
         "{}{} has no row without a missing cell; use --missing mean, or --drop columns", where_,
         table_->source);
  return rows;
}

void TableView::put_numbers(std::span<const Index> rows, Followed& followed) const {
  auto mark = std::ssize(recipe_->numbers);
  for (std::size_t i = 0; i < recipe_->numbers.size(); ++i) {
    const NumberColumn& wanted = recipe_->numbers[i];
    const Column& column = this->column(i);
    for (std::size_t n = 0; n < rows.size(); ++n) {
      const bool missing = column.is_missing(rows[n]);
      const auto at = static_cast<Index>(n);
      followed.filled += missing ? 1 : 0;
      followed.samples(static_cast<Index>(i), at) =
          missing ? wanted.fill : column.numbers[static_cast<std::size_t>(rows[n])];
      if (wanted.has_marks) followed.samples(mark, at) = missing ? 1 : 0;
    }
    if (wanted.has_marks) ++mark;
  }
}

void TableView::put_categories(std::span<const Index> rows, Followed& followed) const {
  Index first =
      std::ssize(recipe_->numbers) +
      std::ranges::count_if(recipe_->numbers, [](const NumberColumn& column) { return column.has_marks; });
  for (std::size_t i = 0; i < recipe_->categories.size(); ++i) {
    const CategoryColumn& wanted = recipe_->categories[i];
    const Column& column = this->column(recipe_->numbers.size() + i);
    const Index other = first + std::ssize(wanted.categories);
    const Index mark = other + (wanted.has_other ? 1 : 0);
    Index unknown = 0;
    for (std::size_t n = 0; n < rows.size(); ++n) {
      const auto at = static_cast<Index>(n);
      if (column.is_missing(rows[n])) {
        ++followed.filled;
        if (wanted.has_marks) followed.samples(mark, at) = 1;
        continue;
      }
      const std::string word = column.text(rows[n]);
      const auto found = std::ranges::lower_bound(wanted.categories, word);
      if (found != wanted.categories.end() && *found == word) {
        followed.samples(first + (found - wanted.categories.begin()), at) = 1;
      } else if (wanted.has_other) {
        followed.samples(other, at) = 1;
      } else {
        ++unknown;
      }
    }
    followed.unknown.push_back(unknown);
    first = mark + (wanted.has_marks ? 1 : 0);
  }
}

Followed TableView::samples(std::span<const Index> rows) const {
  Followed followed{.samples = Samples::Zero(recipe_->features(), std::ssize(rows))};
  put_numbers(rows, followed);
  put_categories(rows, followed);
  return followed;
}

std::vector<std::string> identifiers(const Table& table, const Column& column, std::span<const Index> rows) {
  std::vector<std::string> words;
  for (const Index row : rows) {
    if (column.is_missing(row))
      fail(ErrorCategory::BadData, "{}: row {} has no {}, which says who it is", table.source, row + 1,
           column.name);
    words.push_back(column.text(row));
  }
  return words;
}

}  // namespace choir
