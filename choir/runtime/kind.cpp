#include "choir/runtime/kind.h"

#include <fmt/ranges.h>

#include "choir/base/word_of.h"

namespace choir {

constexpr std::string_view kind_words[] = {"raw_samples", "centroids", "features", "coefficients",
                                           "statistics",  "control",   "options",  "facts",
                                           "summaries",   "failures"};

std::string_view to_string(Kind kind) { return word_of<Kind::failures>(kind, kind_words); }

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
