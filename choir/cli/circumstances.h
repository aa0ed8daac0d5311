// When and with what a result was made, for its own files.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace choir::cli {

// In UTC, as ISO 8601 writes it: 2026-11-16T07:30:00Z.
std::string time_now();

// File names may be in any encoding; what is written about them is UTF-8, with signs in place of what is not.
std::string readable(const std::string& bytes);

// The program, the linear algebra below it, the cores it may use.
nlohmann::ordered_json versions();

}  // namespace choir::cli
