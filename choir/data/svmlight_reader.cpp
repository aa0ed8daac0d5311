#include "choir/data/svmlight_reader.h"

#include <algorithm>
#include <cmath>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/data/arrays.h"
#include "choir/data/text_numbers.h"

namespace choir {
namespace {

constexpr std::string_view blank = " \t\r";

// Cuts the first word off the text; empty at the end.
std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(blank), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(blank));
  text.remove_prefix(word.size());
  return word;
}

struct Entry {
  std::int64_t index = 0;
  double value = 0;
};

std::optional<Entry> parse_entry(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::optional<std::int64_t> index = parse_integer(word.substr(0, colon));
  const std::optional<double> value = number(word.substr(colon + 1));
  if (!index || *index < 0 || !value) return std::nullopt;
  return Entry{.index = *index, .value = *value};
}

// Walks over the samples of a text.
class Lines {
 public:
  Lines(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  // The next line with a sample; its label has been cut off.
  bool next() {
    while (!rest_.empty()) {
      const std::string_view line = rest_.substr(0, rest_.find('\n'));
      rest_.remove_prefix(std::min(line.size() + 1, rest_.size()));
      ++line_;
      entries_ = line.substr(0, line.find('#'));
      const std::string_view label = next_word(entries_);
      if (label.empty()) continue;
      const std::optional<double> value = number(label);
      if (!value) fail(ErrorCategory::BadData, "{}: the label '{}' is not a number", place(), excerpt(label));
      label_ = *value;
      last_index_ = -1;
      return true;
    }
    return false;
  }

  std::optional<Entry> next_entry() {
    std::string_view word = next_word(entries_);
    if (last_index_ < 0 && word.starts_with("qid:")) word = next_word(entries_);
    if (word.empty()) return std::nullopt;
    const std::optional<Entry> entry = parse_entry(word);
    if (!entry) fail(ErrorCategory::BadData, "{}: '{}' is not index:value", place(), excerpt(word));
    if (entry->index <= last_index_) {
      fail(ErrorCategory::BadData, "{}: index {} follows index {}; indices must ascend", place(),
           entry->index, last_index_);
    }
    last_index_ = entry->index;
    return entry;
  }

  double label() const { return label_; }
  std::string place() const { return fmt::format("{}: line {}", name_, line_); }

 private:
  std::string_view rest_;
  std::string_view entries_;
  const std::string& name_;
  double label_ = 0;
  std::int64_t last_index_ = -1;
  Index line_ = 0;
};

struct Extent {
  Index rows = 0;
  Index columns = 0;
  std::int64_t base = 1;  // of the indices
};

Extent survey(std::string_view text, const std::string& name) {
  Extent extent;
  std::int64_t largest = -1;
  Lines lines(text, name);
  while (lines.next()) {
    ++extent.rows;
    while (const std::optional<Entry> entry = lines.next_entry()) {
      if (entry->index == 0) extent.base = 0;
      largest = std::max(largest, entry->index);
    }
  }
  if (extent.rows == 0) fail(ErrorCategory::BadData, "{} has no data: only blank lines or comments", name);
  if (largest < 0) fail(ErrorCategory::BadData, "{} has no data: no line has an index:value", name);
  // An index that large has no room in any memory; the cap only keeps the sum below from overflowing.
  extent.columns = std::min(largest, std::int64_t{1} << 62) + 1 - extent.base;
  return extent;
}

}  // namespace

Dataset decode_svmlight(std::string_view text, const std::string& name, const ReadOptions& options) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const Extent extent = survey(text, name);
  const Index shape[] = {extent.rows, extent.columns};
  table_shape(shape, name, memory_budget(options.max_bytes));

  Dataset dataset;
  dataset.type = "text";
  dataset.samples.setZero(extent.columns, extent.rows);
  Lines lines(text, name);
  for (Index row = 0; lines.next(); ++row) {
    const auto place = [&] { return lines.place() + ": the label"; };
    if (options.real_labels)
      dataset.values.push_back(to_finite_number(lines.label(), place));
    else
      dataset.labels.push_back(to_whole_number(lines.label(), place));
    while (const std::optional<Entry> entry = lines.next_entry()) {
      dataset.samples(entry->index - extent.base, row) = entry->value;
    }
  }
  return dataset;
}

bool looks_like_svmlight(std::string_view line) {
  line = line.substr(0, line.find('#'));
  if (!number(next_word(line))) return false;
  std::string_view word = next_word(line);
  if (word.starts_with("qid:")) word = next_word(line);
  return parse_entry(word).has_value();
}

}  // namespace choir
