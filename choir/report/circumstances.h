// When and with what a result was made, for its own files.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace choir {

// In UTC, as ISO 8601 writes it: 2026-11-16T07:30:00Z.
std::string time_now();

// The program, the linear algebra below it, the cores it may use.
nlohmann::ordered_json versions(const std::string& choir_version);

}  // namespace choir
