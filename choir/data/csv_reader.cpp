#include "choir/data/csv_reader.h"

#include <algorithm>

#include "choir/base/error.h"
#include "choir/data/arrays.h"
#include "choir/data/csv_scanner.h"
#include "choir/data/csv_table.h"

namespace choir {
namespace {

struct Survey {
  CsvLayout layout;
  Index rows = 0;  // without the header
};

// The first pass: what the table looks like, so that the second can parse into place.
Survey survey(std::string_view text, const std::string& name, const ReadOptions& options) {
  CsvScanner scanner(text);
  const std::optional<std::string_view> first = scanner.next();
  if (!first) fail(ErrorCategory::BadData, "{} has no data: only blank lines or comments", name);
  Survey found{.layout = csv_layout(*first, name, options)};
  if (!found.layout.has_header()) found.rows = 1;
  while (scanner.next()) ++found.rows;
  if (found.rows == 0 && !options.allow_empty)
    fail(ErrorCategory::BadData, "{} has no data: only a header", name);
  return found;
}

}  // namespace

Dataset decode_csv(std::string_view text, const std::string& name, const ReadOptions& options) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const auto [layout, rows] = survey(text, name, options);
  const Index shape[] = {std::max<Index>(1, rows), layout.features()};
  table_shape(shape, name, memory_budget(options.max_bytes));

  Dataset dataset;
  dataset.type = "text";
  dataset.samples.resize(layout.features(), rows);
  dataset.names = layout.feature_names();
  if (layout.has_header() && layout.label_column)
    dataset.label_name = layout.names[static_cast<std::size_t>(*layout.label_column)];
  CsvRowParser parser(layout, name, options.allow_not_finite);
  CsvScanner scanner(text);
  if (layout.has_header()) scanner.next();
  CsvPlace at;
  for (; const std::optional<std::string_view> record = scanner.next(); ++at.row) {
    at.line = scanner.line();
    const auto features = static_cast<std::size_t>(layout.features());
    parser.parse(*record, at, {dataset.samples.col(at.row).data(), features});
    if (layout.key_column) dataset.keys.push_back(parser.key());
    if (!layout.label_column) continue;
    if (options.real_labels) {
      dataset.values.push_back(parser.label());
      continue;
    }
    dataset.labels.push_back(
        to_whole_number(parser.label(), [&] { return parser.place(at, *parser.layout().label_column); }));
  }
  return dataset;
}

}  // namespace choir
