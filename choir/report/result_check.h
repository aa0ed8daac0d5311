// Whether the values of a result.json are of the kinds that a page counts on: a page that cannot be drawn is
// of no use to anybody, and a sentence is.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace choir {

// Throws Error(BadData) naming the key. Keys that are missing or null, and keys that no page reads, are fine.
void check_result(const nlohmann::ordered_json& result, const std::string& source);

}  // namespace choir
