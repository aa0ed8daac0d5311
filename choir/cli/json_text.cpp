#include "choir/cli/json_text.h"

#include <nlohmann/json.hpp>

namespace choir::cli {

std::string readable(const std::string& bytes) {
  using Json = nlohmann::json;
  return Json::parse(json_text(Json(bytes))).get<std::string>();
}

}  // namespace choir::cli
