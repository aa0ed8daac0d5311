// The word for a value of an enum that counts from 0, out of a list in the enum's order. Enums that are
// options say theirs in pairs (choices.h).
//
//   constexpr std::string_view fruit_words[] = {"apple", "pear"};
//   std::string_view to_string(Fruit fruit) { return word_of<Fruit::pear>(fruit, fruit_words); }
#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace choir {

// `Last`: the enum's last value, so that a list that is too short does not compile. "unknown" beyond it.
template <auto Last, std::size_t Count>
constexpr std::string_view word_of(decltype(Last) value, const std::string_view (&words)[Count]) {
  static_assert(std::is_enum_v<decltype(Last)>);
  static_assert(Count == static_cast<std::size_t>(Last) + 1, "every value needs a word");
  const auto place = static_cast<std::size_t>(value);
  return place < Count ? words[place] : "unknown";
}

}  // namespace choir
