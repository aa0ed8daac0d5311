#include "choir/graph/topology_spec.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "choir/base/error.h"
#include "choir/base/text.h"

namespace choir {
namespace {

enum class Parameter { none, count, real, path };

struct Choice {
  TopologyKind kind;
  std::string_view word;
  Parameter parameter;
  std::string_view example;
  std::string_view meaning;  // of the parameter
};

constexpr std::array<Choice, 11> choices = {{
    {TopologyKind::ring, "ring", Parameter::count, "ring:4", "an even number of neighbours"},
    {TopologyKind::line, "line", Parameter::none, "line", ""},
    {TopologyKind::grid, "grid", Parameter::none, "grid", ""},
    {TopologyKind::torus, "torus", Parameter::none, "torus", ""},
    {TopologyKind::complete, "complete", Parameter::none, "complete", ""},
    {TopologyKind::star, "star", Parameter::none, "star", ""},
    {TopologyKind::tree, "tree", Parameter::count, "tree:2", "an integer number of children"},
    {TopologyKind::erdos, "erdos", Parameter::real, "erdos:0.1", "a probability"},
    {TopologyKind::barabasi, "barabasi", Parameter::count, "barabasi:2",
     "an integer number of links per node"},
    {TopologyKind::geometric, "geometric", Parameter::real, "geometric:0.3", "a radius"},
    {TopologyKind::file, "file", Parameter::path, "file:links.txt", "a path"},
}};

// Input that may be long or binary, fit to stand in a sentence.
std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string clean(text.substr(0, longest));
  std::replace_if(
      clean.begin(), clean.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return fmt::format("'{}{}'", clean, text.size() > longest ? "..." : "");
}

double parse_parameter(const Choice& choice, std::string_view text) {
  // Whole numbers go through a double, which holds every count of nodes exactly.
  const auto number = parse_number(text);
  const bool whole = number && std::trunc(*number) == *number && std::abs(*number) <= 2147483647.0;
  if (!number || !std::isfinite(*number) || (choice.parameter == Parameter::count && !whole)) {
    fail(ErrorCategory::InvalidArgument, "topology {} needs {} after the colon, not {}; for example {}",
         choice.word, choice.meaning, quoted(text), choice.example);
  }
  return *number;
}

}  // namespace

TopologySpec parse_topology_spec(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view word = text.substr(0, colon);
  const auto choice =
      std::find_if(choices.begin(), choices.end(), [&](const Choice& c) { return c.word == word; });
  if (choice == choices.end()) {
    fail(ErrorCategory::InvalidArgument,
         "there is no topology {}; choose ring:k, line, grid, torus, complete, star, tree:b, erdos:p, "
         "barabasi:m, geometric:r or file:PATH",
         quoted(text));
  }
  TopologySpec spec{.kind = choice->kind, .number = 0, .path = {}};
  const std::string_view rest = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  if (choice->parameter == Parameter::none) {
    if (colon != std::string_view::npos) {
      fail(ErrorCategory::InvalidArgument, "topology {} takes no parameter, but {} was given", word,
           quoted(text));
    }
    return spec;
  }
  if (rest.empty()) {
    fail(ErrorCategory::InvalidArgument, "topology {} needs {} after a colon; for example {}", word,
         choice->meaning, choice->example);
  }
  if (choice->parameter == Parameter::path) {
    spec.path = rest;
  } else {
    spec.number = parse_parameter(*choice, rest);
  }
  return spec;
}

std::string to_string(const TopologySpec& spec) {
  const auto choice =
      std::find_if(choices.begin(), choices.end(), [&](const Choice& c) { return c.kind == spec.kind; });
  if (choice->parameter == Parameter::none) return std::string(choice->word);
  if (choice->parameter == Parameter::path) return fmt::format("{}:{}", choice->word, spec.path);
  return fmt::format("{}:{}", choice->word, spec.number);
}

}  // namespace choir
