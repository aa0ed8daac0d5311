// A table for people: columns as wide as they need, numbers to the right.
//
//   Table table({"component", "eigenvalue"});
//   table.add_row({"1", "84.4"});
//   console.print(table.text());
#pragma once

#include <string>
#include <vector>

namespace choir {

class Table {
 public:
  explicit Table(std::vector<std::string> header);
  void add_row(std::vector<std::string> cells);
  std::string text() const;  // without a last newline

 private:
  std::vector<std::vector<std::string>> rows_;  // the header first
};

// Four significant digits, without trailing zeros.
std::string number(double value);

}  // namespace choir
