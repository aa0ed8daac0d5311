// The page before the pages: what a folder of experiments holds, with a picture of each.
//
//   write_experiment(folder, experiment, options, result, run);
//   write_contents(folder);                                          // folder/index.html
#pragma once

#include <filesystem>

#include <nlohmann/json.hpp>

namespace choir {

// {"experiments": [{"id", "shows", "page", "seeds", "quick", "started", "svg"}, ...]}, in the registry's
// order. Files that cannot be read as an experiment's are left out.
nlohmann::ordered_json contents_document(const std::filesystem::path& folder);

// An index.html that choir has not written is left alone. Throws Error(Io).
void write_contents(const std::filesystem::path& folder);

}  // namespace choir
