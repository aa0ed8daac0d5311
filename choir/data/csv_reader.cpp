#include "choir/data/csv_reader.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/data/arrays.h"
#include "choir/data/csv_scanner.h"
#include "choir/data/text_numbers.h"

namespace choir {
namespace {

using Fields = std::vector<std::string_view>;

struct Layout {
  char separator = ',';
  Index rows = 0;  // without the header
  Index columns = 0;
  std::vector<std::string> names;     // of the columns, or empty
  std::optional<Index> label_column;  // from 0
  std::optional<Index> key_column;

  Index features() const { return columns - (label_column ? 1 : 0) - (key_column ? 1 : 0); }
};

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

std::optional<Index> find_column(const Layout& layout, const std::string& wanted) {
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

[[noreturn]] void refuse_key(const Layout& layout, const std::string& name, const std::string& key) {
  constexpr std::size_t named_at_most = 10;
  std::string columns = fmt::format("columns 1 to {} and no header", layout.columns);
  if (!layout.names.empty()) {
    const auto end = layout.names.begin() + std::min<Index>(layout.columns, named_at_most);
    columns = fmt::format("the columns {}", fmt::join(layout.names.begin(), end, ", "));
    if (end != layout.names.end()) columns += fmt::format(" and {} more", layout.names.end() - end);
  }
  fail(ErrorCategory::BadData, "{} has no column '{}' to take keys from; it has {}", name, key, columns);
}

void find_columns(Layout& layout, const std::string& name, const ReadOptions& options) {
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

// The first pass: what the table looks like, so that the second can parse into place.
Layout survey(std::string_view text, const std::string& name, const ReadOptions& options) {
  CsvScanner scanner(text);
  const std::optional<std::string_view> first = scanner.next();
  if (!first) fail(ErrorCategory::BadData, "{} has no data: only blank lines or comments", name);
  Layout layout;
  layout.separator = guess_separator(*first);
  Fields fields;
  split_record(*first, layout.separator, fields);
  layout.columns = std::ssize(fields);
  if (is_header(fields, options.key)) {
    for (const std::string_view field : fields) layout.names.push_back(unescape(field));
  } else {
    layout.rows = 1;
  }
  while (scanner.next()) ++layout.rows;
  if (layout.rows == 0) fail(ErrorCategory::BadData, "{} has no data: only a header", name);
  find_columns(layout, name, options);
  return layout;
}

class RowParser {
 public:
  RowParser(const Layout& layout, const std::string& name, const ReadOptions& options, Dataset& dataset)
      : layout_(layout), name_(name), options_(options), dataset_(dataset) {}

  void parse(const Fields& fields, Index row, Index line) {
    if (std::ssize(fields) != layout_.columns) {
      fail(ErrorCategory::BadData,
           "{}: row {} (line {}) has {} columns but the first row has {}; all rows need the same", name_,
           row + 1, line, fields.size(), layout_.columns);
    }
    Index feature = 0;
    for (Index column = 0; column < layout_.columns; ++column) {
      const std::string_view field = fields[static_cast<std::size_t>(column)];
      if (column == layout_.key_column) {
        if (field.empty()) refuse(field, row, line, column);
        dataset_.keys.push_back(unescape(field));
        continue;
      }
      const std::optional<double> value = number_or_missing(field);
      if (!value) {
        fail(ErrorCategory::BadData, "{}: '{}' is not a number", place(row, line, column), excerpt(field));
      }
      if (column == layout_.label_column) {
        dataset_.labels.push_back(to_whole_number(*value, [&] { return place(row, line, column); }));
        continue;
      }
      if (!std::isfinite(*value) && !options_.allow_not_finite) refuse(field, row, line, column);
      dataset_.samples(feature++, row) = *value;
    }
  }

 private:
  std::string place(Index row, Index line, Index column) const {
    std::string text = fmt::format("{}: row {} (line {}), column {}", name_, row + 1, line, column + 1);
    if (!layout_.names.empty()) text += fmt::format(" ({})", layout_.names[static_cast<std::size_t>(column)]);
    return text;
  }

  [[noreturn]] void refuse(std::string_view field, Index row, Index line, Index column) const {
    if (field.empty())
      fail(ErrorCategory::BadData, "{} is empty; fill it or remove the row", place(row, line, column));
    const bool missing = std::isnan(*number_or_missing(field));
    fail(ErrorCategory::BadData, "{} is {}; remove or replace such values", place(row, line, column),
         missing ? "NaN" : "infinite");
  }

  const Layout& layout_;
  const std::string& name_;
  const ReadOptions& options_;
  Dataset& dataset_;
};

}  // namespace

Dataset decode_csv(std::string_view text, const std::string& name, const ReadOptions& options) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const Layout layout = survey(text, name, options);
  const Index shape[] = {layout.rows, layout.features()};
  table_shape(shape, name, memory_budget(options.max_bytes));

  Dataset dataset;
  dataset.type = "text";
  dataset.samples.resize(layout.features(), layout.rows);
  RowParser parser(layout, name, options, dataset);
  CsvScanner scanner(text);
  Fields fields;
  if (!layout.names.empty()) scanner.next();
  for (Index row = 0; const std::optional<std::string_view> record = scanner.next(); ++row) {
    split_record(*record, layout.separator, fields);
    parser.parse(fields, row, scanner.line());
  }
  return dataset;
}

}  // namespace choir
