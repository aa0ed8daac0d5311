// What a page is made of: the summary of a run and its metrics.
//
//   const Json document = run_document("runs/digits");    // {"name": "digits", "result": {...}, "metrics":
//   [...]} write_file_atomically("runs/digits/report.html", page_of(document));
//
// choir/report/page/README.md describes the format. Numbers from metrics.jsonl have five digits, and the page
// has room for 1.5 MB of them: of a longer file it holds some iterations of some nodes, and "metrics_shown"
// says so.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace choir {

// `name` heads the page; empty: the folder's own name.
// Throws Error(BadData) or Error(Io) naming the file for a folder that is not a run of choir.
nlohmann::ordered_json run_document(const std::filesystem::path& run, const std::string& name = "");

// {"runs": [{"name": ..., "result": ..., "metrics": ...}, ...]}, named by folder; of each result the keys
// that are shown side by side, and metrics that share the room of one run.
nlohmann::ordered_json comparison_document(const std::vector<std::filesystem::path>& runs);

// Whether a page of it would show single samples.
bool shows_samples(const nlohmann::ordered_json& document);

}  // namespace choir
