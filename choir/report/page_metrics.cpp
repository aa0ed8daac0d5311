#include "choir/report/page_metrics.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "choir/report/json_file.h"

namespace choir {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t lines_of_a_node = 120;
// Rather fewer nodes than nodes of which only the ends are known.
constexpr std::size_t fewest_lines_of_a_node = 12;

// What a chart and its table can show; a number of a run has 17 digits.
double in_five_digits(double value) {
  const std::string text = fmt::format("{:.5g}", value);
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Json shortened(Json line) {
  for (Json& value : line) {
    if (value.is_number_float()) value = in_five_digits(value.get<double>());
  }
  return line;
}

PageMetrics lines_of(const fs::path& path) {
  PageMetrics metrics;
  if (!fs::exists(path)) return metrics;
  const std::string text = file_text(path);
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    ++number;
    if (end == text.size() && !Json::accept(line)) {
      metrics.last_line_lost = true;
    } else if (!line.empty()) {
      metrics.lines.push_back(shortened(parsed(line, fmt::format("{} line {}", path.string(), number))));
    }
    begin = end + 1;
  }
  metrics.recorded = metrics.lines.size();
  return metrics;
}

std::size_t bytes_of(const Json& lines) {
  std::size_t bytes = 0;
  for (const Json& line : lines) bytes += line.dump().size() + 1;
  return bytes;
}

// Places spread over so many, the first and the last among them.
std::vector<std::size_t> spread(std::size_t of, std::size_t count) {
  if (of <= count) count = of;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < count; ++i) places.push_back(count == 1 ? 0 : i * (of - 1) / (count - 1));
  return places;
}

}  // namespace

PageMetrics page_metrics(const fs::path& path, std::size_t most_bytes) {
  PageMetrics metrics = lines_of(path);
  const std::size_t bytes = bytes_of(metrics.lines);
  if (bytes > most_bytes) {
    const double share = static_cast<double>(most_bytes) / static_cast<double>(bytes);
    const double most = share * static_cast<double>(metrics.recorded);
    metrics.lines = thinned(std::move(metrics.lines), static_cast<std::size_t>(most));
  }
  return metrics;
}

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

}  // namespace choir
