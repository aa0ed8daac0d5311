// What a page is made of: the summary of a run and its metrics, as the run left them.
//
//   const Json document = run_document("runs/digits");            // {"result": {...}, "metrics": [...]}
//   write_file_atomically("runs/digits/report.html", page_of(document));
//
// choir/report/page/README.md has the format.
#pragma once

#include <filesystem>
#include <vector>

#include <nlohmann/json.hpp>

namespace choir {

// Lines of metrics.jsonl that a page gets at most: of a longer one some iterations of some nodes, and
// "metrics_shown" says so.
inline constexpr std::size_t most_metrics = 25000;

// Throws Error(BadData) or Error(Io) naming the file for a folder that is no run of choir.
nlohmann::ordered_json run_document(const std::filesystem::path& run);

// {"runs": [{"name": ..., "result": ..., "metrics": ...}, ...]}, by the folders' names.
nlohmann::ordered_json comparison_document(const std::vector<std::filesystem::path>& runs);

// Of the lines of every node the first, the last and some between, of nodes that are spread over all of them,
// so that at most so many are left; of lines without a node the same. The order is kept.
nlohmann::ordered_json thinned(nlohmann::ordered_json lines, std::size_t most);

}  // namespace choir
