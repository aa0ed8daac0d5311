#include "choir/report/run_document.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "choir/base/error.h"
#include "choir/codec/files.h"

namespace choir {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t lines_of_a_node = 120;
// Rather fewer nodes than nodes of which only the ends are known.
constexpr std::size_t fewest_lines_of_a_node = 12;

std::string text_of(const fs::path& path) {
  const std::vector<std::byte> bytes = read_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Json parsed(const std::string& text, const std::string& source) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& cause) {
    fail(ErrorCategory::BadData, "{} is damaged: {}", source, cause.what());
  }
}

Json lines_of(const fs::path& path) {
  Json lines = Json::array();
  if (!fs::exists(path)) return lines;
  const std::string text = text_of(path);
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    ++number;
    if (end > begin) {
      lines.push_back(
          parsed(text.substr(begin, end - begin), fmt::format("{} line {}", path.string(), number)));
    }
    begin = end + 1;
  }
  return lines;
}

// Places spread over so many, the first and the last among them.
std::vector<std::size_t> spread(std::size_t of, std::size_t count) {
  if (of <= count) count = of;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < count; ++i) places.push_back(count == 1 ? 0 : i * (of - 1) / (count - 1));
  return places;
}

}  // namespace

Json thinned(Json lines, std::size_t most) {
  if (lines.size() <= most) return lines;
  std::vector<std::size_t> of_no_node;
  std::map<std::int64_t, std::vector<std::size_t>> by_node;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool of_a_node = lines[i].contains("node") && lines[i]["node"].is_number_integer();
    (of_a_node ? by_node[lines[i]["node"].get<std::int64_t>()] : of_no_node).push_back(i);
  }
  std::vector<std::size_t> chosen;
  const auto choose = [&](const std::vector<std::size_t>& from, std::size_t count) {
    for (const std::size_t place : spread(from.size(), count)) chosen.push_back(from[place]);
  };
  choose(of_no_node, by_node.empty() ? most : most / 2);
  if (!by_node.empty()) {
    const std::size_t left = most - chosen.size();
    std::vector<const std::vector<std::size_t>*> nodes;
    std::size_t longest = 0;
    for (const auto& [node, places] : by_node) {
      nodes.push_back(&places);
      longest = std::max(longest, places.size());
    }
    const std::size_t fewest = std::min(longest, fewest_lines_of_a_node);
    const std::size_t each = std::min(lines_of_a_node, std::max(fewest, left / by_node.size()));
    for (const std::size_t node : spread(nodes.size(), std::max<std::size_t>(1, left / each))) {
      choose(*nodes[node], each);
    }
  }
  std::sort(chosen.begin(), chosen.end());
  Json kept = Json::array();
  for (const std::size_t place : chosen) kept.push_back(std::move(lines[place]));
  return kept;
}

Json run_document(const fs::path& run) {
  const fs::path summary = run / "result.json";
  if (!fs::exists(summary)) {
    fail(ErrorCategory::BadData, "{} has no result.json; name the folder that choir fit wrote", run.string());
  }
  Json result = parsed(text_of(summary), summary.string());
  if (!result.is_object() || !result.contains("method")) {
    fail(ErrorCategory::BadData, "{} is not the summary of a run of choir", summary.string());
  }
  Json lines = lines_of(run / "metrics.jsonl");
  const std::size_t all = lines.size();
  Json document = {{"result", std::move(result)}, {"metrics", thinned(std::move(lines), most_metrics)}};
  if (document.at("metrics").size() < all) {
    document["metrics_shown"] = {{"lines", document.at("metrics").size()}, {"of", all}};
  }
  return document;
}

Json comparison_document(const std::vector<fs::path>& runs) {
  Json documents = Json::array();
  for (const fs::path& run : runs) {
    Json document = {{"name", run.lexically_normal().string()}};
    document.update(run_document(run));
    documents.push_back(std::move(document));
  }
  return {{"runs", std::move(documents)}};
}

}  // namespace choir
