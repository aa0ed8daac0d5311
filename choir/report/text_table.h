// A table for people: columns as wide as they need, numbers to the right.
//
//   TextTable table({"component", "eigenvalue"});
//   table.add_row({"1", "84.4"});
//   console.print(table.text());
#pragma once

#include <string>
#include <vector>

namespace choir {

class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header);
  void add_row(std::vector<std::string> cells);
  std::string text() const;  // without a last newline

 private:
  std::vector<std::vector<std::string>> rows_;  // the header first
};

// Four significant digits, without trailing zeros.
std::string short_number(double value);

}  // namespace choir
