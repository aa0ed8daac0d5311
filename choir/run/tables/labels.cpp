#include "choir/run/tables/labels.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/data/arrays.h"
#include "choir/data/dataset.h"

namespace choir {

std::vector<std::int64_t> RawLabels::integers(const std::string& where) const {
  std::vector<std::int64_t> labels;
  for (std::size_t n = 0; n < numbers.size(); ++n)
    labels.push_back(to_whole_number(numbers[n], [&] { return fmt::format("{}: label {}", where, n + 1); }));
  return labels;
}

std::vector<double> RawLabels::values(const std::string& where) const {
  if (!words.empty())
    fail(ErrorCategory::BadData, "{}: the values to learn must be numbers; '{}' is none", where,
         words.front());
  std::vector<double> all;
  for (std::size_t n = 0; n < numbers.size(); ++n)
    all.push_back(to_finite_number(numbers[n], [&] { return fmt::format("{}: value {}", where, n + 1); }));
  return all;
}

std::vector<std::int64_t> RawLabels::classes(const std::vector<std::string>& names,
                                             const std::string& where) const {
  std::vector<std::int64_t> labels;
  const auto add = [&](const std::string& word) {
    const auto found = std::ranges::lower_bound(names, word);
    if (found == names.end() || *found != word) {
      fail(ErrorCategory::BadData, "{}: the label '{}' is none of the classes {}", where, word.substr(0, 40),
           fmt::join(names, ", "));
    }
    labels.push_back(found - names.begin());
  };
  for (const std::string& word : words) add(word);
  for (const double number : numbers) add(fmt::format("{}", number));
  return labels;
}

RawLabels labels_in(const Table& table, const Column& column, std::span<const Index> rows) {
  RawLabels labels;
  const bool are_numbers = column.type == ColumnType::integer || column.type == ColumnType::number;
  for (const Index row : rows) {
    if (column.is_missing(row)) {
      fail(ErrorCategory::BadData, "{}: row {} has no label ({}); fill it or remove the row", table.source,
           row + 1, column.name.empty() ? "the column of labels" : column.name);
    }
    if (are_numbers)
      labels.numbers.push_back(column.numbers[static_cast<std::size_t>(row)]);
    else
      labels.words.push_back(column.text(row));
  }
  return labels;
}

RawLabels labels_beside(const Table& table, const std::string& source, std::span<const Index> rows) {
  const Dataset beside = read_dataset(source);
  if (beside.samples.size() != table.rows()) {
    fail(ErrorCategory::BadData, "{} holds {} numbers, but {} labels are needed, one per row of {}", source,
         beside.samples.size(), table.rows(), table.source);
  }
  RawLabels labels;
  for (const Index row : rows) labels.numbers.push_back(beside.samples.data()[row]);
  return labels;
}

}  // namespace choir
