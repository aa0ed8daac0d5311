// Files of a run as text and as JSON.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace choir {

// Throws Error(Io) naming the path.
std::string file_text(const std::filesystem::path& path);

// Throws Error(BadData) that begins with the source, the name of what the text is from.
nlohmann::ordered_json parsed(std::string_view text, const std::string& source);

}  // namespace choir
