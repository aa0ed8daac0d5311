// What runs are called side by side: their folders without what all of them have in common.
//
//   run_names({"all/runs/a", "all/runs/b/late"});        // "a", "b/late"
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace choir {

// As many as folders, no two the same: a folder that is named twice has a number behind it.
std::vector<std::string> run_names(const std::vector<std::filesystem::path>& folders);

}  // namespace choir
