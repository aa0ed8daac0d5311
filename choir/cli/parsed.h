// Texts of options that become values: an error names the option that the text came from.
//
//   options.mean_interval = parsed("--interval", text, parse_duration);
//   options.carry = parse_count_or("auto", "carry", text, 1);
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "choir/base/error.h"
#include "choir/base/text.h"

namespace choir::cli {

template <class Parse>
auto parsed(const char* option, const std::string& text, Parse parse) {
  try {
    return parse(text);
  } catch (const Error& cause) {
    throw Error(cause.category(), option, cause);
  }
}

// Nothing for `word`. Throws Error(InvalidArgument) for anything else but a whole number from `least` on.
inline std::optional<Index> parse_count_or(std::string_view word, std::string_view name,
                                           const std::string& text, Index least) {
  if (text == word) return std::nullopt;
  const auto count = parse_integer(text);
  if (!count || *count < least) {
    fail(ErrorCategory::InvalidArgument, "{} is '{}'; it must be {} or a whole number from {} on", name, text,
         word, least);
  }
  return static_cast<Index>(*count);
}

}  // namespace choir::cli
