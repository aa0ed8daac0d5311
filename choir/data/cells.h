// What a field of a table of text says: nothing, a number, a word for true or false, a date, or just words.
//
//   const CellRules rules({"-"}, ',');                       // "-" is missing, too; "1.234,5" is a number
//   rules.is_missing("?");                                   // true
//   rules.number("1.234,5");                                 // 1234.5
//   days_since_1970("2024-03-01 12:00");                     // 19783.5
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace choir {

class CellRules {
 public:
  // `missing`: words that stand for a missing value beside an empty field, "?", "NA", "N/A", "nan" and
  // "null", which do in any case. `decimal`: the point of numbers, '.' or ','; with ',' a point stands
  // between thousands. Throws Error(InvalidArgument) for another one.
  explicit CellRules(const std::vector<std::string>& missing = {}, char decimal = '.');

  bool is_missing(std::string_view cell) const;
  std::optional<double> number(std::string_view cell) const;
  char decimal() const { return decimal_; }

 private:
  std::set<std::string, std::less<>> missing_;
  char decimal_;
};

// true and false, yes and no, in any case.
std::optional<bool> truth_value(std::string_view cell);

// Of "2024-03-01", also with " 13:45" or "T13:45:10" behind it, and of "01.03.2024". Nothing: it is no date
// of the calendar.
std::optional<double> days_since_1970(std::string_view cell);

}  // namespace choir
