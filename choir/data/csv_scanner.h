// Records and fields of a csv text, without meaning: the csv reader gives them one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "choir/base/types.h"

namespace choir {

// Walks over the records of a text: lines, longer where a quoted field spans several. Blank lines and
// lines that start with # are passed over. A text that comes in parts is given its next part when a record
// is not whole yet.
class CsvScanner {
 public:
  explicit CsvScanner(std::string_view text, bool is_whole = true) : rest_(text), is_whole_(is_whole) {}

  // Without its line end. Nothing: there are no more, or the last one may go on in the text's next part.
  std::optional<std::string_view> next();
  Index line() const { return line_; }               // where the last record began, from 1
  Index lines() const { return next_line_ - 1; }     // up to the end of the last record
  std::string_view rest() const { return rest_; }    // what is behind the last record
  void go_on(std::string_view text, bool is_whole);  // with a text that begins as rest() does

 private:
  std::string_view rest_;
  bool is_whole_;
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
