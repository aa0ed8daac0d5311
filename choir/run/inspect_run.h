// What is in a run folder, in words: for whoever has the folder and not the one who made it.
//
//   console.print(describe_run("runs/a", json));       // of its result.json
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace choir {

// Throws Error(BadData) that names `path` for a result that is none.
std::string describe_run(const std::string& path, const nlohmann::ordered_json& result);

}  // namespace choir
