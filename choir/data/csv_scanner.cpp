#include "choir/data/csv_scanner.h"

#include <algorithm>

#include "choir/base/text.h"

namespace choir {
namespace {

// The end of the record that starts the text: its line break outside quotes, or the text's end.
std::size_t record_end(std::string_view text) {
  std::size_t from = 0;
  bool quoted = false;
  while (true) {
    const std::size_t end = text.find('\n', from);
    const std::string_view line = text.substr(from, end == std::string_view::npos ? end : end - from);
    if (std::ranges::count(line, '"') % 2 != 0) quoted = !quoted;
    if (end == std::string_view::npos) return text.size();
    if (!quoted) return end;
    from = end + 1;
  }
}

std::string_view without_quotes(std::string_view field) {
  field = trim(field);
  if (field.size() >= 2 && field.front() == '"' && field.back() == '"')
    return field.substr(1, field.size() - 2);
  return field;
}

void split_at_blanks(std::string_view record, std::vector<std::string_view>& fields) {
  constexpr std::string_view blank = " \t\r";
  while (true) {
    const std::size_t first = record.find_first_not_of(blank);
    if (first == std::string_view::npos) return;
    const std::size_t end = std::min(record.find_first_of(blank, first), record.size());
    fields.push_back(without_quotes(record.substr(first, end - first)));
    record.remove_prefix(end);
  }
}

}  // namespace

std::optional<std::string_view> CsvScanner::next() {
  while (!rest_.empty()) {
    const std::size_t line_break = rest_.find('\n');
    if (line_break == std::string_view::npos && !is_whole_) return std::nullopt;
    const std::size_t line_end = std::min(line_break, rest_.size());
    const std::string_view first_line = trim(rest_.substr(0, line_end));
    const bool skip = first_line.empty() || first_line.front() == '#';
    const std::size_t end = skip ? line_end : record_end(rest_);
    if (end == rest_.size() && !is_whole_) return std::nullopt;
    const std::string_view record = rest_.substr(0, end);
    line_ = next_line_;
    next_line_ += std::ranges::count(record, '\n') + 1;
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (!skip) return record;
  }
  return std::nullopt;
}

void CsvScanner::go_on(std::string_view text, bool is_whole) {
  rest_ = text;
  is_whole_ = is_whole;
}

char guess_separator(std::string_view record) {
  bool quoted = false;
  bool tab = false, comma = false, semicolon = false, blank = false;
  for (const char c : trim(record)) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    tab = tab || c == '\t';
    comma = comma || c == ',';
    semicolon = semicolon || c == ';';
    blank = blank || c == ' ';
  }
  if (semicolon) return ';';  // where it is used, a comma may be a decimal point, which is then refused
  if (comma) return ',';
  if (tab) return '\t';
  return blank ? blanks : ',';
}

void split_record(std::string_view record, char separator, std::vector<std::string_view>& fields) {
  fields.clear();
  if (separator == blanks) return split_at_blanks(record, fields);
  bool quoted = false;
  std::size_t start = 0;
  for (std::size_t i = 0; i < record.size(); ++i) {
    if (record[i] == '"') quoted = !quoted;
    if (record[i] != separator || quoted) continue;
    fields.push_back(without_quotes(record.substr(start, i - start)));
    start = i + 1;
  }
  fields.push_back(without_quotes(record.substr(start)));
}

std::string unescape(std::string_view field) {
  std::string text;
  for (std::size_t i = 0; i < field.size(); ++i) {
    text += field[i];
    if (field[i] == '"' && i + 1 < field.size() && field[i + 1] == '"') ++i;
  }
  return text;
}

}  // namespace choir
