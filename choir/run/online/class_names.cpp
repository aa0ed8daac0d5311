#include "choir/run/online/class_names.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "choir/base/error.h"
#include "choir/base/text.h"

namespace choir {
namespace {

template <class Label>
void sort_out(std::vector<Label>& labels) {
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
}

// All of them, or nothing.
std::optional<std::vector<std::int64_t>> as_integers(const std::vector<std::string>& texts) {
  std::vector<std::int64_t> integers;
  for (const std::string& text : texts) {
    const std::optional<std::int64_t> integer = parse_integer(text);
    if (!integer) return std::nullopt;
    integers.push_back(*integer);
  }
  return integers;
}

}  // namespace

ClassNames class_names(std::vector<std::string> texts) {
  ClassNames classes;
  if (auto integers = as_integers(texts)) {
    sort_out(*integers);
    classes.labels = std::move(*integers);
    return classes;
  }
  sort_out(texts);
  if (texts.front().empty())
    throw Error(ErrorCategory::InvalidArgument, "a class has no name; remove the empty one");
  classes.labels.resize(texts.size());
  std::iota(classes.labels.begin(), classes.labels.end(), 0);
  classes.words = std::move(texts);
  return classes;
}

std::vector<std::string> ClassNames::texts() const {
  if (!words.empty()) return words;
  std::vector<std::string> texts;
  for (const std::int64_t label : labels) texts.push_back(std::to_string(label));
  return texts;
}

TargetRule ClassNames::rule() const {
  if (labels.empty()) return {};
  return words.empty() ? integer_labels(labels) : word_labels(words);
}

}  // namespace choir
