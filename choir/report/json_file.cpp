#include "choir/report/json_file.h"

#include "choir/base/error.h"
#include "choir/codec/files.h"

namespace choir {

using Json = nlohmann::ordered_json;

std::string file_text(const std::filesystem::path& path) {
  const std::vector<std::byte> bytes = read_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Json parsed(std::string_view text, const std::string& source) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& cause) {
    fail(ErrorCategory::BadData, "{} is damaged: {}", source, cause.what());
  }
}

}  // namespace choir
