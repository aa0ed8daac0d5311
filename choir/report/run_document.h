// What a page is made of: the summary of a run and its metrics.
//
//   const Json document = run_document("runs/digits");            // {"result": {...}, "metrics": [...]}
//   write_file_atomically("runs/digits/report.html", page_of(document));
//
// choir/report/page/README.md has the format. Lines of metrics.jsonl have five digits and room for 1.5 MB on
// a page: of a longer one there are some iterations of some nodes, and "metrics_shown" says so.
#pragma once

#include <filesystem>
#include <vector>

#include <nlohmann/json.hpp>

namespace choir {

// Throws Error(BadData) or Error(Io) naming the file for a folder that is no run of choir.
nlohmann::ordered_json run_document(const std::filesystem::path& run);

// {"runs": [{"name": ..., "result": ..., "metrics": ...}, ...]}, by the folders' names; of the results what
// is shown side by side, and metrics that share the room of one run's.
nlohmann::ordered_json comparison_document(const std::vector<std::filesystem::path>& runs);

}  // namespace choir
