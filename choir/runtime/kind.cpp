#include "choir/runtime/kind.h"

#include <fmt/ranges.h>

namespace choir {

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::raw_samples:
      return "raw_samples";
    case Kind::centroids:
      return "centroids";
    case Kind::features:
      return "features";
    case Kind::coefficients:
      return "coefficients";
    case Kind::statistics:
      return "statistics";
    case Kind::control:
      return "control";
    case Kind::options:
      return "options";
    case Kind::facts:
      return "facts";
    case Kind::summaries:
      return "summaries";
    case Kind::failures:
      return "failures";
  }
  return "unknown";
}

std::vector<Kind> KindSet::list() const {
  std::vector<Kind> kinds;
  for (const Kind kind : all_kinds) {
    if (has(kind)) kinds.push_back(kind);
  }
  return kinds;
}

std::string KindSet::text() const {
  std::vector<std::string_view> names;
  for (const Kind kind : list()) names.push_back(to_string(kind));
  return names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace choir
