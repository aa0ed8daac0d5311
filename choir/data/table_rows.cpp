#include "choir/data/table_rows.h"

#include <algorithm>
#include <optional>
#include <set>

#include <nlohmann/json.hpp>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/data/csv_scanner.h"
#include "choir/data/text_numbers.h"

namespace choir {
namespace {

using CellJson = nlohmann::ordered_json;
using Cells = std::vector<std::string>;

// Names may be numbers that count the columns, as pandas writes them.
bool count_from_the_first(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] != numbers.front() + static_cast<double>(i)) return false;
  }
  return numbers.front() == 0 || numbers.front() == 1;
}

// A first row of names: words, each once. A row of samples with words in it has numbers beside them.
bool is_row_of_names(const Cells& first) {
  std::vector<double> numbers;
  for (const std::string& field : first) {
    if (const std::optional<double> value = number(field)) numbers.push_back(*value);
  }
  const bool has_words = numbers.size() < first.size();
  const bool repeats = std::set(first.begin(), first.end()).size() < first.size();
  return has_words && !repeats && (numbers.empty() || count_from_the_first(numbers));
}

char separator_of(std::string_view record, char decimal) {
  if (decimal != ',') return guess_separator(record);
  if (record.find(';') != std::string_view::npos) return ';';
  if (record.find('\t') != std::string_view::npos) return '\t';
  return blanks;
}

class CsvTableRows : public TableRows {
 public:
  CsvTableRows(std::string_view text, const std::string& name, char decimal) : text_(text), source_(name) {
    CsvScanner scanner(text);
    const std::optional<std::string_view> first = scanner.next();
    if (!first) fail(ErrorCategory::BadData, "{} has no data: only blank lines or comments", name);
    separator_ = separator_of(*first, decimal);
    Cells cells = cells_of(*first);
    has_header_ = is_row_of_names(cells);
    names_ = has_header_ ? std::move(cells) : Cells(cells.size());
    if (!has_header_) return;
    const auto unnamed = std::ranges::find(names_, "");
    if (unnamed == names_.end()) return;
    *unnamed = "unnamed";  // pandas writes its index so
  }

  const Cells& names() const override { return names_; }

  void for_each(const Visit& visit) const override {
    CsvScanner scanner(text_);
    if (has_header_) scanner.next();
    for (Index row = 1; const std::optional<std::string_view> record = scanner.next(); ++row) {
      const Cells cells = cells_of(*record);
      if (cells.size() != names_.size()) {
        fail(ErrorCategory::BadData,
             "{}: row {} (line {}) has {} columns but the first row has {}; all rows need the same number",
             source_, row, scanner.line(), cells.size(), names_.size());
      }
      visit(cells);
    }
  }

 private:
  Cells cells_of(std::string_view record) const {
    std::vector<std::string_view> fields;
    split_record(record, separator_, fields);
    Cells cells;
    for (const std::string_view field : fields) cells.push_back(unescape(field));
    return cells;
  }

  std::string_view text_;
  std::string source_;
  char separator_ = ',';
  bool has_header_ = false;
  Cells names_;
};

// A single value as a csv file would have it. Nothing: it is a list or an object.
std::optional<std::string> cell_of(const CellJson& value) {
  if (value.is_null()) return std::string();
  if (value.is_string()) return value.get<std::string>();
  if (value.is_structured()) return std::nullopt;
  return value.dump();
}

std::optional<CellJson> object_in(std::string_view line) {
  constexpr bool throws = false;
  CellJson value = CellJson::parse(line, nullptr, throws);
  if (value.is_discarded() || !value.is_object()) return std::nullopt;
  return value;
}

class JsonTableRows : public TableRows {
 public:
  JsonTableRows(std::string_view text, const std::string& name) : text_(text), source_(name) {
    for_each_line([&](std::string_view line, Index number) {
      if (names_.empty()) look(line, number);
    });
    if (names_.empty()) fail(ErrorCategory::BadData, "{} has no data: only blank lines", name);
  }

  const Cells& names() const override { return names_; }

  void for_each(const Visit& visit) const override {
    for_each_line([&](std::string_view line, Index number) {
      const CellJson object = parsed(line, number);
      Cells cells(names_.size());
      for (const auto& [key, value] : object.items()) {
        const auto column = std::ranges::find(names_, key);
        if (column == names_.end()) {
          fail(ErrorCategory::BadData,
               "{}: line {} has a member \"{}\" that the first line lacks; all lines need the same columns",
               source_, number, key);
        }
        cells[static_cast<std::size_t>(column - names_.begin())] = cell(value, key, number);
      }
      visit(cells);
    });
  }

 private:
  void look(std::string_view line, Index number) {
    const CellJson object = parsed(line, number);
    for (const auto& [key, value] : object.items()) names_.push_back(key);
  }

  std::string cell(const CellJson& value, const std::string& key, Index number) const {
    const std::optional<std::string> text = cell_of(value);
    if (text) return *text;
    fail(ErrorCategory::BadData, "{}: line {}: \"{}\" is a {}; a cell of a table is a single value", source_,
         number, key, value.type_name());
  }

  CellJson parsed(std::string_view line, Index number) const {
    std::optional<CellJson> object = object_in(line);
    if (object) return *std::move(object);
    fail(ErrorCategory::BadData, "{}: line {} is not a JSON object like the first line: {}", source_, number,
         excerpt(line));
  }

  template <class Work>
  void for_each_line(Work&& work) const {
    Index number = 0;
    for (std::string_view line : split(text_, '\n')) {
      ++number;
      line = trim(line);
      if (!line.empty()) work(line, number);
    }
  }

  std::string_view text_;
  std::string source_;
  Cells names_;
};

}  // namespace

std::unique_ptr<TableRows> rows_of_csv(std::string_view text, const std::string& name, char decimal) {
  return std::make_unique<CsvTableRows>(text, name, decimal);
}

std::unique_ptr<TableRows> rows_of_ndjson(std::string_view text, const std::string& name) {
  return std::make_unique<JsonTableRows>(text, name);
}

bool has_named_columns(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  text.remove_prefix(first);
  const std::optional<CellJson> object = object_in(trim(text.substr(0, text.find('\n'))));
  if (!object || object->empty()) return false;
  return std::ranges::none_of(*object, [](const CellJson& value) { return value.is_structured(); });
}

}  // namespace choir
