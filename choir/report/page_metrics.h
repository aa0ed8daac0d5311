// The lines of metrics.jsonl as a page has them: numbers of five digits, and of a long run some lines only.
//
//   PageMetrics metrics = page_metrics("runs/digits/metrics.jsonl", 1'500'000);
//   if (metrics.lines.size() < metrics.recorded) ...                              // the page says so
#pragma once

#include <cstddef>
#include <filesystem>

#include <nlohmann/json.hpp>

namespace choir {

struct PageMetrics {
  nlohmann::ordered_json lines = nlohmann::ordered_json::array();
  std::size_t recorded = 0;     // whole lines of the file
  bool last_line_lost = false;  // the writer was stopped in the middle of it
};

// So many lines that they take about most_bytes on the page; none of a file that is not there. Throws
// Error(BadData) naming the line for damage elsewhere than in a last line without an end.
PageMetrics page_metrics(const std::filesystem::path& path, std::size_t most_bytes);

// Of the lines of every node the first, the last and some between, of nodes that are spread over all of them,
// so that at most so many are left; of lines without a node the same. The order is kept.
nlohmann::ordered_json thinned(nlohmann::ordered_json lines, std::size_t most);

}  // namespace choir
