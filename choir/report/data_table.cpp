#include "choir/report/data_table.h"

#include <cmath>
#include <utility>

#include <fmt/ranges.h>

#include "choir/base/error.h"

namespace choir {
namespace {

using Json = nlohmann::ordered_json;

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csv_cell(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return csv_text(*text);
  const double value = std::get<double>(cell);
  return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

std::string csv_line(const std::vector<Cell>& cells) {
  std::vector<std::string> words;
  for (const Cell& cell : cells) words.push_back(csv_cell(cell));
  return fmt::format("{}\n", fmt::join(words, ","));
}

Json json_cell(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  const double value = std::get<double>(cell);
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

}  // namespace

DataTable::DataTable(std::vector<std::string> columns) : columns_(std::move(columns)) {}

void DataTable::add_row(std::vector<Cell> cells) {
  if (cells.size() != columns_.size()) {
    fail(ErrorCategory::Internal, "a row of {} cells in a table of {} columns", cells.size(),
         columns_.size());
  }
  rows_.push_back(std::move(cells));
}

std::string DataTable::csv() const {
  std::vector<Cell> header(columns_.begin(), columns_.end());
  std::string text = csv_line(header);
  for (const std::vector<Cell>& row : rows_) text += csv_line(row);
  return text;
}

Json DataTable::json() const {
  Json rows = Json::array();
  for (const std::vector<Cell>& row : rows_) {
    Json cells = Json::array();
    for (const Cell& cell : row) cells.push_back(json_cell(cell));
    rows.push_back(std::move(cells));
  }
  return {{"columns", columns_}, {"rows", std::move(rows)}};
}

}  // namespace choir
