#include "choir/runtime/kind.h"

#include <fmt/ranges.h>

#include "choir/base/word_of.h"

namespace choir {

namespace {

constexpr std::string_view kind_words[] = {
    "raw_samples", "centroids", "features", "coefficients", "own_statistics", "masked",  "totals",
    "identifiers", "control",   "options",  "facts",        "summaries",      "failures"};

// The page says the same (report/page/source/words.js; tests/architecture/kinds_test.py compares).
constexpr std::string_view kind_lessons[] = {
    "samples: the receiver has them, exactly or up to the noise that was added",
    "means of groups of samples; a group of few is nearly its samples",
    "samples in feature coordinates; whoever knows the feature map can often solve for the samples",
    "weights of samples that the receiver has, and projections of the sender's samples on them",
    "sums over one node's samples, readable by the receiver; with few samples they give them away",
    "uniform words; no information without the other nodes' secrets",
    "sums over all nodes and what follows from them; with few samples in all they give samples away",
    "disguised keys of people; the receiver learns how many there are and which of them it has, too",
    "counters, flags and public keys; nothing that depends on a sample's value",
    "options that all processes share, and versions",
    "how many samples a shard has, names and types of its columns, its classes, the name of its file",
    "what a node found: eigenvalues, changes, counts, sentences",
    "a sentence that says why a process cannot go on"};

}  // namespace

std::string_view to_string(Kind kind) { return word_of<Kind::failures>(kind, kind_words); }

std::string_view what_it_tells(Kind kind) { return word_of<Kind::failures>(kind, kind_lessons); }

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
