// How often a piece is in a text.
#pragma once

#include <string>

namespace choir::testing {

inline std::size_t times_in(const std::string& text, const std::string& piece) {
  std::size_t found = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++found;
  return found;
}

}  // namespace choir::testing
