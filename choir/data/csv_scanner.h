// Records and fields of a csv text, without meaning: the csv reader gives them one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "choir/base/types.h"

namespace choir {

// Walks over the records of a text: lines, longer where a quoted field spans several. Blank lines and
// lines that start with # are passed over.
class CsvScanner {
 public:
  explicit CsvScanner(std::string_view text) : rest_(text) {}

  std::optional<std::string_view> next();  // without its line end
  Index line() const { return line_; }     // where the last record began, from 1

 private:
  std::string_view rest_;
  Index line_ = 0;
  Index next_line_ = 1;
};

constexpr char blanks = ' ';  // a separator that stands for any run of blanks and tabs

// Tab, comma, semicolon or blanks, whichever the record uses outside quotes; comma for a single field.
char guess_separator(std::string_view record);

// The fields, trimmed, without their quotes. They point into the record.
void split_record(std::string_view record, char separator, std::vector<std::string_view>& fields);

// Doubled quotes inside a quoted field stand for one.
std::string unescape(std::string_view field);

}  // namespace choir
