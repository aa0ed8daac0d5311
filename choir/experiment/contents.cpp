#include "choir/experiment/contents.h"

#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "choir/codec/files.h"
#include "choir/experiment/experiment.h"
#include "choir/report/json_file.h"
#include "choir/report/page.h"

namespace choir {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::uintmax_t largest_picture = 256 * 1024;  // a page of forty stays below 3 MB in practice

constexpr std::uintmax_t largest_contents = 32 * 1024 * 1024;

std::optional<std::string> text_of(const fs::path& file, std::uintmax_t at_most) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  if (error || size > at_most) return std::nullopt;
  return file_text(file);
}

// The first picture that is small enough.
std::optional<std::string> picture_of(const Json& about, const fs::path& folder) {
  const auto pictures = about.find("pictures");
  if (pictures == about.end() || !pictures->is_array()) return std::nullopt;
  for (const Json& name : *pictures) {
    if (!name.is_string()) continue;
    if (auto svg = text_of(folder / fs::path(name.get<std::string>()).filename(), largest_picture))
      return svg;
  }
  return std::nullopt;
}

// Somebody else's page stays.
bool is_ours_or_missing(const fs::path& page) {
  std::error_code ignored;
  if (!fs::exists(page, ignored)) return true;
  const std::optional<std::string> text = text_of(page, largest_contents);
  return text && is_page(*text);
}

Json entry_of(const Experiment& experiment, const fs::path& folder) {
  constexpr std::uintmax_t largest_table = 64 * 1024 * 1024;
  const fs::path file = folder / (experiment.id + ".json");
  const std::optional<std::string> text = text_of(file, largest_table);
  if (!text) return {};
  const Json about = Json::parse(*text, nullptr, false);
  if (!about.is_object()) return {};
  Json entry = {{"id", experiment.id}, {"shows", experiment.shows}, {"page", experiment.id + ".html"}};
  for (const char* key : {"seeds", "quick", "started", "seconds"}) {
    if (about.contains(key)) entry[key] = about[key];
  }
  if (auto svg = picture_of(about, file.parent_path())) entry["svg"] = *std::move(svg);
  return entry;
}

}  // namespace

Json contents_document(const fs::path& folder) {
  Json entries = Json::array();
  for (const Experiment& experiment : all_experiments()) {
    if (Json entry = entry_of(experiment, folder); !entry.is_null()) entries.push_back(std::move(entry));
  }
  return {{"experiments", std::move(entries)}};
}

void write_contents(const fs::path& folder) {
  const fs::path page = folder / "index.html";
  if (is_ours_or_missing(page)) write_file_atomically(page, page_of(contents_document(folder)));
}

}  // namespace choir
