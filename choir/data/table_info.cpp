#include "choir/data/table_info.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace choir {
namespace {

constexpr Index fewest_rows_to_judge = 20;
constexpr std::size_t shown_words = 3;

std::vector<double> finite_numbers(const Column& column) {
  std::vector<double> values;
  std::ranges::copy_if(column.numbers, std::back_inserter(values),
                       [](double value) { return std::isfinite(value); });
  return values;
}

// How often each value is there.
std::map<std::string, Index> counts_of_words(const Column& column) {
  std::map<std::string, Index> counts;
  for (Index row = 0; row < column.size(); ++row) {
    if (!column.is_missing(row)) ++counts[column.text(row)];
  }
  return counts;
}

Index distinct_numbers(std::vector<double> values) {
  std::ranges::sort(values);
  return std::unique(values.begin(), values.end()) - values.begin();
}

// As numpy's percentiles: between two values in proportion.
std::vector<double> quartiles_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  std::vector<double> found;
  for (int quarter = 0; quarter <= 4; ++quarter) {
    const double place = static_cast<double>(values.size() - 1) * quarter / 4;
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    found.push_back(values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]));
  }
  return found;
}

std::vector<std::pair<std::string, Index>> most_frequent_of(const std::map<std::string, Index>& counts) {
  std::vector<std::pair<std::string, Index>> all(counts.begin(), counts.end());
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.second > b.second; });
  all.resize(std::min(all.size(), shown_words));
  return all;
}

// 17, 18, 19, in any order.
bool counts_rows(std::vector<double> values) {
  const auto [low, high] = std::ranges::minmax_element(values);
  return *high - *low == static_cast<double>(values.size() - 1);
}

Index distinct_values(const Column& column) {
  return column.type == ColumnType::text ? std::ssize(counts_of_words(column))
                                         : distinct_numbers(finite_numbers(column));
}

ColumnInfo describe_column(const Column& column, const std::string& name) {
  ColumnInfo info{.name = name, .type = column.type};
  info.missing = column.missing();
  const bool has_words = column.type == ColumnType::text || column.type == ColumnType::boolean;
  if (has_words) {
    info.most_frequent = most_frequent_of(counts_of_words(column));
  } else {
    info.quartiles = quartiles_of(finite_numbers(column));
  }
  info.distinct = distinct_values(column);
  info.is_constant = info.distinct == 0 || (info.distinct == 1 && info.missing == 0);
  info.looks_like_identifier = looks_like_identifier(column);
  return info;
}

}  // namespace

std::string ColumnInfo::advice() const {
  if (looks_like_identifier) return "looks like an identifier: --id or --drop";
  if (is_constant) return "constant: --drop";
  if (type == ColumnType::text) return "--categorical or --drop";
  return missing > 0 ? "--missing" : "";
}

bool looks_like_identifier(const Column& column) {
  const Index present = column.size() - column.missing();
  if (present < fewest_rows_to_judge) return false;
  if (column.type == ColumnType::text) return distinct_values(column) > present - present / 20;
  return column.type == ColumnType::integer && counts_rows(finite_numbers(column)) &&
         distinct_values(column) == present;
}

std::vector<ColumnInfo> describe_columns(const Table& table) {
  std::vector<ColumnInfo> all;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    all.push_back(
        describe_column(column, column.name.empty() ? fmt::format("column {}", i + 1) : column.name));
  }
  return all;
}

DataInfo describe(const Table& table) {
  DataInfo info{.source = table.source, .type = "text", .samples = table.rows()};
  info.features = std::ssize(table.columns);
  double sum = 0;
  Index finite = 0;
  for (const Column& column : table.columns) {
    const std::vector<double> values = finite_numbers(column);
    const Index missing = column.missing();
    info.nan_count += missing;
    if (column.type != ColumnType::text) info.infinite_count += column.size() - missing - std::ssize(values);
    if (missing == 0 && distinct_values(column) == 1) ++info.constant_features;
    double column_sum = 0;  // sums by column lose fewer digits than one long sum
    for (const double value : values) {
      column_sum += value;
      info.minimum = std::min(info.minimum.value_or(value), value);
      info.maximum = std::max(info.maximum.value_or(value), value);
    }
    sum += column_sum;
    finite += std::ssize(values);
  }
  if (finite > 0) info.mean = sum / static_cast<double>(finite);
  return info;
}

std::vector<std::pair<std::string, Index>> class_counts(const Column& labels) {
  if (labels.type == ColumnType::integer || labels.type == ColumnType::number) {
    std::map<double, Index> counts;
    for (Index row = 0; row < labels.size(); ++row) {
      if (!labels.is_missing(row)) ++counts[labels.numbers[static_cast<std::size_t>(row)]];
    }
    std::vector<std::pair<std::string, Index>> all;
    for (const auto& [value, count] : counts) all.emplace_back(fmt::format("{}", value), count);
    return all;
  }
  const std::map<std::string, Index> counts = counts_of_words(labels);
  return {counts.begin(), counts.end()};
}

}  // namespace choir
