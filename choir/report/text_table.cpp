#include "choir/report/text_table.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace choir {

TextTable::TextTable(std::vector<std::string> header) { rows_.push_back(std::move(header)); }

void TextTable::add_row(std::vector<std::string> cells) {
  cells.resize(rows_.front().size());
  rows_.push_back(std::move(cells));
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const auto& row : rows_) {
    if (!text.empty()) text += '\n';
    for (std::size_t c = 0; c < row.size(); ++c) {
      // The first column holds names and stands left.
      text += c == 0 ? fmt::format("{:<{}}", row[c], widths[c]) : fmt::format("  {:>{}}", row[c], widths[c]);
    }
  }
  return text;
}

std::string short_number(double value) { return fmt::format("{:.4g}", value); }

}  // namespace choir
