// How a type of option reads and writes itself: what the user typed becomes a value, and the value becomes
// the one text that stands for it in files and between parties.
//
//   const auto gamma = OptionType<GammaSpec>::parse("--gamma", "median");
//   OptionType<GammaSpec>::print(gamma);                  // "median"
//   OptionType<KernelKind>::choices();                    // {"rbf", "linear", ...}
//
// Any enum with choice_names() is a type of option.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "choir/base/choices.h"
#include "choir/base/deadline.h"
#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/kernel/bandwidth.h"

namespace choir {

// `unit` is what help shows in place of a value. parse() throws Error(InvalidArgument) naming the option.
template <class T>
struct OptionType;

[[noreturn]] inline void refuse_option(std::string_view option, std::string_view text,
                                       std::string_view must_be) {
  fail(ErrorCategory::InvalidArgument, "{} is '{}'; it must be {}", option, text, must_be);
}

template <>
struct OptionType<std::string> {
  static constexpr const char* unit = "TEXT";
  static std::string parse(std::string_view, std::string_view text) { return std::string(text); }
  static std::string print(const std::string& value) { return value; }
  static std::vector<std::string> choices() { return {}; }
};

template <>
struct OptionType<bool> {
  static constexpr const char* unit = "";
  static bool parse(std::string_view option, std::string_view text) {
    if (text == "true") return true;
    if (text == "false") return false;
    refuse_option(option, text, "true or false");
  }
  static std::string print(bool value) { return value ? "true" : "false"; }
  static std::vector<std::string> choices() { return {}; }
};

template <std::integral T>
struct OptionType<T> {
  static constexpr const char* unit = "N";
  static T parse(std::string_view option, std::string_view text) {
    const auto value = parse_integer(text);
    constexpr bool natural = std::is_unsigned_v<T>;
    if (!value || !std::in_range<T>(*value))
      refuse_option(option, text, natural ? "a non-negative integer" : "an integer");
    return static_cast<T>(*value);
  }
  static std::string print(T value) { return fmt::format("{}", value); }
  static std::vector<std::string> choices() { return {}; }
};

template <>
struct OptionType<double> {
  static constexpr const char* unit = "X";
  static double parse(std::string_view option, std::string_view text) {
    const auto value = parse_number(text);
    if (!value || !std::isfinite(*value)) refuse_option(option, text, "a number");
    return *value;
  }
  static std::string print(double value) { return fmt::format("{}", value); }
  static std::vector<std::string> choices() { return {}; }
};

template <class E>
concept OptionEnum = std::is_enum_v<E> && requires(E value) {
  choice_names(value);
};

template <OptionEnum E>
struct OptionType<E> {
  static constexpr const char* unit = "WORD";
  static E parse(std::string_view option, std::string_view text) { return parse_choice<E>(option, text); }
  static std::string print(E value) { return std::string(to_string(value)); }
  static std::vector<std::string> choices() {
    std::vector<std::string> words;
    for (const auto& [value, word] : choice_names(E{})) words.emplace_back(word);
    return words;
  }
};

// Types with a parse function of their own, and to_string(): P(text) throws, and the sentence is begun with
// the option's name.
template <class T, T (*parse_text)(std::string_view)>
struct ParsedOption {
  static T parse(std::string_view option, std::string_view text) {
    try {
      return parse_text(text);
    } catch (const Error& cause) {
      throw Error(cause.category(), std::string(option), cause);
    }
  }
  static std::string print(const T& value) { return to_string(value); }
  static std::vector<std::string> choices() { return {}; }
};

template <>
struct OptionType<GammaSpec> : ParsedOption<GammaSpec, parse_gamma> {
  static constexpr const char* unit = "X|scale|median";
};

std::string duration_text(Duration duration);  // "60s", "250us": the largest unit that is exact

template <>
struct OptionType<Duration> : ParsedOption<Duration, parse_duration> {
  static constexpr const char* unit = "TIME";
  static std::string print(Duration value) { return duration_text(value); }
};

}  // namespace choir
