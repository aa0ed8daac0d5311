// A table of named columns, for programs: numbers as exact as they were, nothing where nothing was measured.
//
//   DataTable table({"nodes", "method", "similarity"});
//   table.add_row({10.0, "local", 0.79});
//   write_file_atomically("fig3.csv", table.csv());
#pragma once

#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

namespace choir {

using Cell = std::variant<double, std::string>;  // a number that is not finite: nothing was measured

class DataTable {
 public:
  explicit DataTable(std::vector<std::string> columns = {});

  // Throws Error(Internal) if there are not as many cells as columns.
  void add_row(std::vector<Cell> cells);

  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<std::vector<Cell>>& rows() const { return rows_; }

  std::string csv() const;              // with a header; text in quotes where csv needs them
  nlohmann::ordered_json json() const;  // {"columns": [...], "rows": [[...], ...]}

 private:
  std::vector<std::string> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace choir
