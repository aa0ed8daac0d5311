#include "choir/learn/tables/choose_recipe.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"

namespace choir {
namespace {

std::optional<Index> place_in(const TableFacts& table, std::string_view column) {
  return place_of_column(table.names, std::ssize(table.types), column);
}

// The columns that a word stands for, ascending; none if it fits none.
std::vector<Index> columns_of(const TableFacts& table, const std::string& word) {
  if (const std::optional<Index> one = place_in(table, word)) return {*one};
  std::vector<Index> found;
  if (!word.ends_with('*')) return found;
  const std::string_view beginning = std::string_view(word).substr(0, word.size() - 1);
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    if (table.names[i].starts_with(beginning)) found.push_back(static_cast<Index>(i));
  }
  return found;
}

std::vector<Index> columns_of(const TableFacts& table, const std::vector<std::string>& words,
                              std::string_view option) {
  std::vector<Index> all;
  for (const std::string& word : words) {
    const std::vector<Index> some = columns_of(table, word);
    if (some.empty()) {
      fail(ErrorCategory::InvalidArgument, "{} names '{}', which no column of {} is called{}", option, word,
           table.source, columns_words(table.names, table.types.size()));
    }
    for (const Index column : some) {
      if (std::ranges::find(all, column) == all.end()) all.push_back(column);
    }
  }
  return all;
}

std::string name_in(const TableFacts& table, Index column) {
  return table.names.empty() ? std::string() : table.names[static_cast<std::size_t>(column)];
}

std::string described(const TableFacts& table, Index column) {
  const std::string name = name_in(table, column);
  return name.empty() ? fmt::format("column {}", column + 1)
                      : fmt::format("column {} ({})", column + 1, name);
}

// What the columns of one table are for.
struct Roles {
  std::optional<Index> id = {};
  std::optional<Index> label = {};
  std::vector<Index> used = {};
  std::vector<Index> left_out = {};
};

// Labels that are in no column are in a file, which the caller reads.
Roles roles_in(const TableFacts& table, const RecipeWish& wish) {
  Roles roles;
  if (!wish.id.empty()) roles.id = columns_of(table, {wish.id}, "--id").front();
  if (!wish.labels.empty()) roles.label = place_in(table, wish.labels);
  if (roles.id && roles.id == roles.label)
    fail(ErrorCategory::InvalidArgument, "--id and --labels name the same column of {}", table.source);
  const std::vector<Index> drop = columns_of(table, wish.drop, "--drop");
  std::vector<Index> candidates = columns_of(table, wish.columns, "--columns");
  for (Index column = 0; wish.columns.empty() && column < std::ssize(table.types); ++column)
    candidates.push_back(column);
  std::set<Index> taken;
  for (const Index column : candidates) {
    if (column == roles.id || column == roles.label || std::ranges::count(drop, column) > 0) continue;
    roles.used.push_back(column);
    taken.insert(column);
  }
  for (Index column = 0; column < std::ssize(table.types); ++column) {
    if (column != roles.id && column != roles.label && !taken.contains(column))
      roles.left_out.push_back(column);
  }
  if (roles.used.empty())
    fail(ErrorCategory::InvalidArgument,
         "no column of {} is left to learn from; use another --columns or --drop", table.source);
  return roles;
}

[[noreturn]] void refuse_names(const TableFacts& table, const std::string& what) {
  fail(ErrorCategory::BadData, "node {}: {} {}; all nodes need the same columns, in any order", table.node,
       table.source, what);
}

// The same columns as the first table, by name, or, without names, as many.
void require_columns_of(const TableFacts& first, const Roles& roles, const TableFacts& table,
                        const RecipeWish& wish) {
  if (table.names.empty() != first.names.empty())
    refuse_names(table, fmt::format("has {} header, but {} has {}", table.names.empty() ? "no" : "a",
                                    first.source, first.names.empty() ? "none" : "one"));
  if (first.names.empty()) {
    if (table.types.size() == first.types.size()) return;
    refuse_names(table, fmt::format("has {} columns but {} of node {} has {}", table.types.size(),
                                    first.source, first.node, first.types.size()));
  }
  const auto lacks = [&](const TableFacts& here, const std::string& name) {
    return std::ranges::find(here.names, name) == here.names.end();
  };
  for (const Index column : roles.used) {
    const std::string& name = first.names[static_cast<std::size_t>(column)];
    if (lacks(table, name)) refuse_names(table, fmt::format("has no column '{}'", name));
  }
  const Roles own = roles_in(table, wish);
  for (const Index column : own.used) {
    const std::string& name = table.names[static_cast<std::size_t>(column)];
    if (lacks(first, name))
      refuse_names(table,
                   fmt::format("has a column '{}' that {} of node {} lacks", name, first.source, first.node));
  }
  for (const std::optional<Index> column : {roles.id, roles.label}) {
    if (column && lacks(table, first.names[static_cast<std::size_t>(*column)]))
      refuse_names(table, fmt::format("has no column '{}'", first.names[static_cast<std::size_t>(*column)]));
  }
}

void require_each_name_once(const TableFacts& table) {
  std::set<std::string> seen;
  for (const std::string& name : table.names) {
    if (!seen.insert(name).second) refuse_names(table, fmt::format("has two columns called '{}'", name));
  }
}

// Where a column of the first table is in another one.
Index same_column(const TableFacts& first, Index column, const TableFacts& table) {
  if (first.names.empty()) return column;
  return *place_in(table, first.names[static_cast<std::size_t>(column)]);
}

// Of the column in all tables.
ColumnType joint_type(const std::vector<TableFacts>& tables, Index column, std::vector<std::string>& notes) {
  const TableFacts& first = tables.front();
  std::optional<ColumnType> type;
  bool differs = false;
  for (const TableFacts& table : tables) {
    const Index place = same_column(first, column, table);
    if (std::ranges::count(table.without_cells, place) > 0) continue;
    const ColumnType other = table.types[static_cast<std::size_t>(place)];
    differs = differs || other != type.value_or(other);
    type = joined(type.value_or(other), other);
  }
  if (!type) return ColumnType::number;
  if (differs)
    notes.push_back(fmt::format("{} is of different types at the nodes and is taken as {}",
                                described(first, column), to_string(*type)));
  return *type;
}

// The table whose column holds words.
const TableFacts& with_words(const std::vector<TableFacts>& tables, Index column) {
  const auto has_words = [&](const TableFacts& table) {
    return table.types[static_cast<std::size_t>(same_column(tables.front(), column, table))] ==
           ColumnType::text;
  };
  const auto found = std::ranges::find_if(tables, has_words);
  return found == tables.end() ? tables.front() : *found;
}

}  // namespace

TableFacts facts_of(const Table& table, NodeId node) {
  TableFacts facts{.node = node, .source = table.source};
  for (const Column& column : table.columns) {
    if (table.has_names()) facts.names.push_back(column.name);
    facts.types.push_back(column.type);
    if (column.missing() == column.size()) facts.without_cells.push_back(std::ssize(facts.types) - 1);
  }
  return facts;
}

std::string columns_words(const std::vector<std::string>& names, std::size_t columns) {
  constexpr std::size_t shown_at_most = 10;
  if (names.empty()) return fmt::format(" (it has columns 1 to {} and no header)", columns);
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), shown_at_most));
  std::string words = fmt::format(" (it has the columns {}", fmt::join(names.begin(), end, ", "));
  if (end != names.end()) words += fmt::format(" and {} more", names.end() - end);
  return words + ")";
}

ChosenRecipe choose_recipe(const RecipeWish& wish, const std::vector<TableFacts>& tables) {
  const TableFacts& first = tables.front();
  for (const TableFacts& table : tables) require_each_name_once(table);
  const Roles roles = roles_in(first, wish);
  for (const TableFacts& table : tables) require_columns_of(first, roles, table, wish);
  const std::vector<Index> categorical = columns_of(first, wish.categorical, "--categorical");

  ChosenRecipe chosen;
  Recipe& recipe = chosen.recipe;
  recipe.missing = wish.missing;
  recipe.na = wish.na;
  recipe.decimal = wish.decimal;
  recipe.file_columns = std::ssize(first.types);
  const auto word_for = [&](Index column) {
    return first.names.empty() ? fmt::format("{}", column + 1) : name_in(first, column);
  };
  if (roles.id) recipe.id = word_for(*roles.id);
  if (roles.label) recipe.label = word_for(*roles.label);
  for (const Index column : roles.left_out) recipe.left_out.push_back(word_for(column));
  for (const Index column : roles.used) {
    const ColumnType type = joint_type(tables, column, chosen.notes);
    const ColumnPlace place{.name = name_in(first, column), .position = column};
    const bool is_named = std::ranges::find(categorical, column) != categorical.end();
    if (is_named || (wish.all_texts && type == ColumnType::text)) {
      recipe.categories.push_back({.place = place});
    } else if (type != ColumnType::text) {
      recipe.numbers.push_back({.place = place});
    } else {
      const TableFacts& table = with_words(tables, column);
      fail(ErrorCategory::BadData,
           "node {}: {} of {} holds words; use --categorical {} to have a feature per word, or --drop it",
           table.node, described(first, column), table.source, wish.all_texts ? "auto" : word_for(column));
    }
  }
  return chosen;
}

}  // namespace choir
