// Options that are one of a few words. An enum that is one says its words beside itself, and can then be read
// and written by anybody:
//
//   enum class Fruit { apple, pear };
//   inline constexpr auto fruit_names = choir::words_in_order<Fruit::pear>("apple", "pear");
//   inline choir::ChoiceNames<Fruit> choice_names(Fruit) { return fruit_names; }
//   const Fruit fruit = choir::parse_choice<Fruit>("fruit", "pear");
//   const std::string_view word = choir::to_string(fruit);
//
// An enum of a namespace inside choir:: says `using choir::to_string;` there, so that its callers need not.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace choir {

template <class Enum>
using ChoiceName = std::pair<Enum, std::string_view>;
template <class Enum>
using ChoiceNames = std::span<const ChoiceName<Enum>>;

template <class Enum>
concept Choice = std::is_enum_v<Enum> && requires(Enum choice) {
  { choice_names(choice) } -> std::same_as<ChoiceNames<Enum>>;
};

// The words of an enum that counts from 0, in the order of its values. `Last` is the last of them, so that a
// list that is too short does not compile.
template <auto Last, class... Words>
constexpr auto words_in_order(const Words&... words) {
  static_assert(sizeof...(Words) == static_cast<std::size_t>(Last) + 1, "every value needs a word");
  int place = 0;
  return std::array{ChoiceName<decltype(Last)>(static_cast<decltype(Last)>(place++), words)...};
}

// Throws Error(InvalidArgument) naming the choices.
[[noreturn]] void refuse_choice(std::string_view option, std::string_view text,
                                const std::vector<std::string_view>& choices);

// Throws Error(InvalidArgument) naming the option and the choices.
template <Choice Enum>
Enum parse_choice(std::string_view option, std::string_view text) {
  std::vector<std::string_view> choices;
  for (const auto& [value, name] : choice_names(Enum{})) {
    if (name == text) return value;
    choices.push_back(name);
  }
  refuse_choice(option, text, choices);
}

template <Choice Enum>
std::string_view to_string(Enum choice) {
  for (const auto& [value, name] : choice_names(choice)) {
    if (value == choice) return name;
  }
  return "?";
}

}  // namespace choir
