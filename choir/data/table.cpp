#include "choir/data/table.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/codec/files.h"
#include "choir/data/arrays.h"
#include "choir/data/column_builder.h"
#include "choir/data/dataset.h"
#include "choir/data/format.h"
#include "choir/data/gzip.h"
#include "choir/data/ndjson_reader.h"
#include "choir/data/table_rows.h"

namespace choir {
namespace {

Table table_of(const Dataset& dataset) {
  Table table;
  table.source = dataset.source;
  for (Index m = 0; m < dataset.features(); ++m) {
    Column column;
    const auto values = dataset.samples.row(m);
    column.numbers.assign(values.begin(), values.end());
    column.type = type_of_numbers(column.numbers);
    table.columns.push_back(std::move(column));
  }
  return table;
}

bool is_text_of_columns(Format format, std::string_view text) {
  if (format == Format::csv) return true;
  return format == Format::ndjson && has_named_columns(text);
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The text of a file that has columns of its own; nothing: it has arrays.
std::optional<std::string> column_text(const Location& location, const TableOptions& options) {
  std::vector<std::byte> head = read_file_head(location.path, format_head_bytes);
  Format format = detect_format(head, location.path);
  if (format != Format::csv && format != Format::ndjson && format != Format::gzip) return std::nullopt;
  std::vector<std::byte> bytes = read_file(location.path);
  if (format == Format::gzip) {
    bytes = gunzip(bytes, location.path.string(), memory_budget(options.max_bytes));
    if (bytes.empty()) fail(ErrorCategory::BadData, "{} is empty", location.path.string());
    head.assign(bytes.begin(),
                bytes.begin() + std::min<std::ptrdiff_t>(std::ssize(bytes), format_head_bytes));
    format = detect_format(head, unpacked_name(location.path));
  }
  std::string text = text_of(bytes);
  if (!is_text_of_columns(format, text)) return std::nullopt;
  refuse_key(location);
  return text;
}

}  // namespace

constexpr auto column_type_names =
    words_in_order<ColumnType::text>("boolean", "integer", "number", "date", "text");
ChoiceNames<ColumnType> choice_names(ColumnType) { return column_type_names; }

ColumnType joined(ColumnType a, ColumnType b) {
  const bool one_date = (a == ColumnType::date) != (b == ColumnType::date);
  return one_date ? ColumnType::text : std::max(a, b);
}

bool Column::is_missing(Index row) const {
  const auto at = static_cast<std::size_t>(row);
  return type == ColumnType::text ? words[at].empty() : std::isnan(numbers[at]);
}

std::string Column::text(Index row) const {
  const auto at = static_cast<std::size_t>(row);
  return words.empty() ? fmt::format("{}", numbers[at]) : words[at];
}

Index Column::missing() const {
  Index count = 0;
  for (Index row = 0; row < size(); ++row) count += is_missing(row) ? 1 : 0;
  return count;
}

std::optional<Index> place_of_column(std::span<const std::string> names, Index columns,
                                     std::string_view wanted) {
  const auto named = std::ranges::find(names, wanted);
  if (named != names.end()) return named - names.begin();
  const std::optional<std::int64_t> number = parse_integer(wanted);
  if (!number || *number == 0 || std::abs(*number) > columns) return std::nullopt;
  return *number > 0 ? *number - 1 : columns + *number;
}

std::optional<Index> Table::find(std::string_view column) const {
  std::vector<std::string> names;
  for (const Column& each : columns) names.push_back(each.name);
  return place_of_column(names, std::ssize(columns), column);
}

std::string Table::words_for(Index column) const {
  const std::string& name = columns[static_cast<std::size_t>(column)].name;
  return name.empty() ? fmt::format("column {}", column + 1)
                      : fmt::format("column {} ({})", column + 1, name);
}

Table decode_table(std::string_view text, const std::string& name, const TableOptions& options) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const CellRules rules(options.na, options.decimal);
  const std::unique_ptr<TableRows> rows =
      looks_like_ndjson(text) ? rows_of_ndjson(text, name) : rows_of_csv(text, name, options.decimal);
  std::vector<ColumnBuilder> builders(rows->names().size(), ColumnBuilder(rules));
  rows->for_each([&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) builders[i].look(cells[i]);
  });
  rows->for_each([&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) builders[i].add(cells[i]);
  });
  Table table;
  table.source = name;
  for (std::size_t i = 0; i < builders.size(); ++i)
    table.columns.push_back(std::move(builders[i]).column(rows->names()[i]));
  if (table.rows() == 0) fail(ErrorCategory::BadData, "{} has no data: only a header", name);
  return table;
}

std::optional<Table> read_text_table(const std::string& source, const TableOptions& options) {
  const Location location = locate(source);
  const std::optional<std::string> text = column_text(location, options);
  if (!text) return std::nullopt;
  return decode_table(*text, location.path.string(), options);
}

Table read_table(const std::string& source, const TableOptions& options) {
  if (std::optional<Table> table = read_text_table(source, options)) return *std::move(table);
  return table_of(read_dataset(source, {.allow_not_finite = true, .max_bytes = options.max_bytes}));
}

Table take_rows(const Table& table, std::span<const Index> rows) {
  Table taken;
  taken.source = table.source;
  for (const Column& column : table.columns) {
    Column few{.name = column.name, .type = column.type, .numbers = {}, .words = {}};
    for (const Index row : rows) {
      const auto at = static_cast<std::size_t>(row);
      if (!column.numbers.empty()) few.numbers.push_back(column.numbers[at]);
      if (!column.words.empty()) few.words.push_back(column.words[at]);
    }
    taken.columns.push_back(std::move(few));
  }
  return taken;
}

}  // namespace choir
