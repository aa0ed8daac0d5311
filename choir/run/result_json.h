// A result as result.json has it. Keys may be added, none renamed; choir/report/page/README.md lists what
// pages read.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "choir/run/result.h"

namespace choir {

nlohmann::ordered_json to_json(const Result& result);
nlohmann::ordered_json to_json(const Facts& facts);

// JSON as text, of names in any encoding: what is not UTF-8 becomes a sign that says so. The names of files
// need not be UTF-8, and a run must not end for them.
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);
// The same for one text.
std::string readable(const std::string& bytes);

}  // namespace choir
