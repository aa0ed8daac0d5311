// Options that are one of a few words.
//
//   constexpr ChoiceNames<Start, 2> starts = {{{Start::gather, "gather"}, {Start::random, "random"}}};
//   Start parse_start(std::string_view text) { return parse_choice(starts, "init", text); }
//   std::string_view to_string(Start start) { return name_of(starts, start); }
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include <fmt/ranges.h>

#include "choir/base/error.h"

namespace choir {

template <class Choice, std::size_t count>
using ChoiceNames = std::array<std::pair<Choice, std::string_view>, count>;

// Throws Error(InvalidArgument) naming the choices; `what` is the option.
template <class Choice, std::size_t count>
Choice parse_choice(const ChoiceNames<Choice, count>& names, std::string_view what, std::string_view text) {
  std::array<std::string_view, count> choices;
  for (std::size_t i = 0; i < count; ++i) {
    if (names[i].second == text) return names[i].first;
    choices[i] = names[i].second;
  }
  fail(ErrorCategory::InvalidArgument, "{} is '{}'; it must be one of {}", what, text,
       fmt::join(choices, ", "));
}

template <class Choice, std::size_t count>
std::string_view name_of(const ChoiceNames<Choice, count>& names, Choice choice) {
  for (const auto& [value, name] : names) {
    if (value == choice) return name;
  }
  return "?";
}

}  // namespace choir
