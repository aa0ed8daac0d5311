#include "choir/data/csv_table.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/data/csv_scanner.h"
#include "choir/data/text_numbers.h"

namespace choir {
namespace {

using Fields = std::vector<std::string_view>;

bool looks_like_header(const Fields& fields) {
  bool has_word = false;
  std::set<double> numbers;
  for (const std::string_view field : fields) {
    const std::optional<double> value = number_or_missing(field);
    if (!value) has_word = true;
    if (!value || std::isnan(*value)) continue;
    const bool could_be_a_name = *value >= 0 && *value == std::floor(*value);
    if (!could_be_a_name || !numbers.insert(*value).second) return false;
  }
  return has_word;
}

// "1" is the first column, "-1" the last.
std::optional<Index> numbered_column(Index columns, const std::string& wanted) {
  const std::optional<std::int64_t> position = parse_integer(wanted);
  if (!position) return std::nullopt;
  if (*position >= 1 && *position <= columns) return *position - 1;
  if (*position <= -1 && *position >= -columns) return columns + *position;
  return std::nullopt;
}

std::optional<Index> find_column(const CsvLayout& layout, const std::string& wanted) {
  const auto found = std::ranges::find(layout.names, wanted);
  if (found != layout.names.end()) return found - layout.names.begin();
  return numbered_column(layout.columns, wanted);
}

// Keys may be words, so their column does not tell a header from data, unless it has the name that was asked
// for.
bool is_header(Fields fields, const std::string& key) {
  const bool key_is_a_name = !key.empty() && !parse_integer(key);
  if (key_is_a_name && std::ranges::find(fields, key) != fields.end()) return true;
  if (const auto column = numbered_column(std::ssize(fields), key)) fields.erase(fields.begin() + *column);
  return looks_like_header(fields);
}

[[noreturn]] void refuse_key(const CsvLayout& layout, const std::string& name, const std::string& key) {
  constexpr std::size_t named_at_most = 10;
  std::string columns = fmt::format("columns 1 to {} and no header", layout.columns);
  if (!layout.names.empty()) {
    const auto end = layout.names.begin() + std::min<Index>(layout.columns, named_at_most);
    columns = fmt::format("the columns {}", fmt::join(layout.names.begin(), end, ", "));
    if (end != layout.names.end()) columns += fmt::format(" and {} more", layout.names.end() - end);
  }
  fail(ErrorCategory::BadData, "{} has no column '{}' to take keys from; it has {}", name, key, columns);
}

void find_columns(CsvLayout& layout, const std::string& name, const ReadOptions& options) {
  if (!options.labels.empty()) layout.label_column = find_column(layout, options.labels);
  if (!options.key.empty()) {
    layout.key_column = find_column(layout, options.key);
    if (!layout.key_column) refuse_key(layout, name, options.key);
  }
  if (layout.key_column && layout.key_column == layout.label_column) {
    fail(ErrorCategory::BadData, "column {} of {} cannot hold both labels and keys; name two columns",
         *layout.key_column + 1, name);
  }
  if (layout.features() == 0) {
    fail(ErrorCategory::BadData, "{} has no data: its only {}", name,
         layout.columns == 2 ? "columns are the keys and the labels"
         : layout.key_column ? "column is the keys"
                             : "column is the labels");
  }
}

}  // namespace

std::vector<std::string> CsvLayout::feature_names() const {
  std::vector<std::string> features;
  for (Index column = 0; column < std::ssize(names); ++column) {
    if (column != label_column && column != key_column)
      features.push_back(names[static_cast<std::size_t>(column)]);
  }
  return features;
}

CsvLayout csv_layout(std::string_view first_record, const std::string& name, const ReadOptions& options) {
  CsvLayout layout;
  layout.separator = guess_separator(first_record);
  Fields fields;
  split_record(first_record, layout.separator, fields);
  layout.columns = std::ssize(fields);
  if (is_header(fields, options.key)) {
    for (const std::string_view field : fields) layout.names.push_back(unescape(field));
  }
  find_columns(layout, name, options);
  return layout;
}

std::vector<std::string> csv_fields(std::string_view record) {
  Fields fields;
  split_record(record, guess_separator(record), fields);
  std::vector<std::string> texts;
  for (const std::string_view field : fields) texts.push_back(unescape(field));
  return texts;
}

void CsvRowParser::parse(std::string_view record, CsvPlace at, std::span<double> features) {
  split_record(record, layout_.separator, fields_);
  if (std::ssize(fields_) != layout_.columns) {
    fail(ErrorCategory::BadData,
         "{}: row {} (line {}) has {} columns but the first row has {}; all rows need the same number", name_,
         at.row + 1, at.line, fields_.size(), layout_.columns);
  }
  std::size_t feature = 0;
  for (Index column = 0; column < layout_.columns; ++column) {
    const std::string_view field = fields_[static_cast<std::size_t>(column)];
    if (column == layout_.key_column) {
      if (field.empty()) refuse(field, at, column);
      key_ = unescape(field);
    } else if (column == layout_.label_column) {
      label_ = target(field, at, column);
    } else {
      features[feature++] = value(field, at, column, allow_not_finite_);
    }
  }
}

double CsvRowParser::value(std::string_view field, CsvPlace at, Index column, bool allow_not_finite) const {
  const std::optional<double> number = number_or_missing(field);
  if (!number) {
    fail(ErrorCategory::BadData, "{}: '{}' is not a number", place(at, column), excerpt(field));
  }
  if (!std::isfinite(*number) && !allow_not_finite) refuse(field, at, column);
  return *number;
}

double CsvRowParser::target(std::string_view field, CsvPlace at, Index column) const {
  const std::optional<double> found =
      rule_.of_text ? rule_.of_text(unescape(field)) : value(field, at, column, false);
  if (found && (!rule_.allows || rule_.allows(*found))) return *found;
  if (field.empty()) refuse(field, at, column);
  fail(ErrorCategory::BadData, "{}: '{}' is not {}", place(at, column), excerpt(field), rule_.must_be);
}

std::string CsvRowParser::place(CsvPlace at, Index column) const {
  std::string text = fmt::format("{}: row {} (line {}), column {}", name_, at.row + 1, at.line, column + 1);
  if (!layout_.names.empty()) text += fmt::format(" ({})", layout_.names[static_cast<std::size_t>(column)]);
  return text;
}

void CsvRowParser::refuse(std::string_view field, CsvPlace at, Index column) const {
  if (field.empty())
    fail(ErrorCategory::BadData, "{} is empty; fill it or remove the row", place(at, column));
  const bool missing = std::isnan(*number_or_missing(field));
  fail(ErrorCategory::BadData, "{} is {}; remove or replace such values", place(at, column),
       missing ? "NaN" : "infinite");
}

}  // namespace choir
