#include "choir/data/target_rule.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/data/text_numbers.h"

namespace choir {
namespace {

constexpr std::size_t named_at_most = 10;
constexpr std::size_t most_words = 1000;

template <class Label>
std::string classes_in_words(const std::vector<Label>& labels) {
  const auto end = labels.begin() + static_cast<std::ptrdiff_t>(std::min(labels.size(), named_at_most));
  std::string text = fmt::format("one of the classes {}", fmt::join(labels.begin(), end, ", "));
  if (end != labels.end()) text += fmt::format(" and {} more", labels.end() - end);
  return text;
}

bool is_missing(std::string_view text) { return text.empty() || text == "NA"; }

bool is_integer(double value) {
  constexpr double exact = 9007199254740992.0;  // 2^53: from here on doubles skip integers
  return std::abs(value) < exact && value == std::floor(value);
}

}  // namespace

TargetRule integer_labels(std::vector<std::int64_t> labels) {
  TargetRule rule{.must_be = classes_in_words(labels)};
  rule.allows = [labels = std::move(labels)](double value) {
    return is_integer(value) && std::ranges::binary_search(labels, static_cast<std::int64_t>(value));
  };
  return rule;
}

TargetRule word_labels(std::vector<std::string> words) {
  TargetRule rule{.must_be = classes_in_words(words)};
  rule.of_text = [words = std::move(words)](std::string_view text) -> std::optional<double> {
    const auto found = std::ranges::lower_bound(words, text);
    if (found == words.end() || *found != text) return std::nullopt;
    return static_cast<double>(found - words.begin());
  };
  return rule;
}

TargetRule LabelCensus::rule() {
  return {.of_text = [this](std::string_view text) { return of_text(text); },
          .allows = [this](double value) { return allows(value); },
          .must_be = "an integer label"};
}

std::optional<double> LabelCensus::of_text(std::string_view text) {
  const std::optional<double> value = number(text);
  if (words_.empty() && value && std::isfinite(*value)) return is_integer(*value) ? value : std::nullopt;
  if (!integers_.empty() || is_missing(text)) return std::nullopt;
  if (words_.size() < most_words) {
    words_.emplace(text);
  } else if (words_.find(text) == words_.end()) {
    one_too_many_ = text;
  }
  return 0;
}

bool LabelCensus::allows(double value) {
  if (!words_.empty()) return true;
  if (!is_integer(value)) return false;
  integers_.insert(static_cast<std::int64_t>(value));
  return true;
}

std::vector<std::string> LabelCensus::labels() const {
  if (!one_too_many_.empty()) {
    fail(ErrorCategory::BadData,
         "there are more than {} different words where the labels should be, '{}' among them; name another "
         "column of labels, or the classes",
         most_words, excerpt(one_too_many_));
  }
  std::vector<std::string> labels(words_.begin(), words_.end());
  for (const std::int64_t label : integers_) labels.push_back(std::to_string(label));
  return labels;
}

}  // namespace choir
