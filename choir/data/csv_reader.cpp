#include "choir/data/csv_reader.h"

#include <algorithm>
#include <cmath>
#include <set>

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

std::optional<Index> find_column(const Layout& layout, const std::string& wanted) {
  const auto found = std::ranges::find(layout.names, wanted);
  if (found != layout.names.end()) return found - layout.names.begin();
  const std::optional<std::int64_t> position = parse_integer(wanted);
  if (!position) return std::nullopt;
  if (*position >= 1 && *position <= layout.columns) return *position - 1;
  if (*position <= -1 && *position >= -layout.columns) return layout.columns + *position;
  return std::nullopt;
}

// The first pass: what the table looks like, so that the second can parse into place.
Layout survey(std::string_view text, const std::string& name, const std::string& labels) {
  CsvScanner scanner(text);
  const std::optional<std::string_view> first = scanner.next();
  if (!first) fail(ErrorCategory::BadData, "{} has no data: only blank lines or comments", name);
  Layout layout;
  layout.separator = guess_separator(*first);
  Fields fields;
  split_record(*first, layout.separator, fields);
  layout.columns = std::ssize(fields);
  if (looks_like_header(fields)) {
    for (const std::string_view field : fields) layout.names.push_back(unescape(field));
  } else {
    layout.rows = 1;
  }
  while (scanner.next()) ++layout.rows;
  if (layout.rows == 0) fail(ErrorCategory::BadData, "{} has no data: only a header", name);
  if (!labels.empty()) layout.label_column = find_column(layout, labels);
  if (layout.label_column && layout.columns == 1) {
    fail(ErrorCategory::BadData, "{} has no data: its only column is the labels", name);
  }
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
      const std::optional<double> value = number_or_missing(field);
      if (!value) {
        fail(ErrorCategory::BadData, "{}: '{}' is not a number", place(row, line, column), excerpt(field));
      }
      if (column == layout_.label_column) {
        dataset_.labels.push_back(to_label(*value, [&] { return place(row, line, column); }));
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
  const Layout layout = survey(text, name, options.labels);
  const Index features = layout.columns - (layout.label_column ? 1 : 0);
  const Index shape[] = {layout.rows, features};
  table_shape(shape, name, memory_budget(options.max_bytes));

  Dataset dataset;
  dataset.type = "text";
  dataset.samples.resize(features, layout.rows);
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
