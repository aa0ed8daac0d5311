// What is in a model file: as JSON, and in words made from that JSON.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "choir/model/model_file.h"

namespace choir::cli {

// A model file may say whose samples its answers carry: the parameters "neighborhood" ("3,1,2": nodes, the
// model's own first) and "samples" ("100,80,90": how many of each). The answer "own" then carries those of
// the first, "neighborhood" those of all, others none.
nlohmann::ordered_json to_json(const ModelFile& file);

std::string model_words(const std::string& path, const nlohmann::ordered_json& json);

}  // namespace choir::cli
