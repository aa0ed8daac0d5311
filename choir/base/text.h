// Numbers to and from words.
//
//   human_bytes(3.3e9);                                    // "3.1 GiB"
//   const std::optional<double> number = parse_number("2.5");
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "choir/base/types.h"

namespace choir {

// "3.1 GiB"
std::string human_bytes(double bytes);

// The whole text as one number, whatever the locale; nothing if it is not one.
std::optional<double> parse_number(std::string_view text);
std::optional<std::int64_t> parse_integer(std::string_view text);

std::vector<std::string_view> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);

}  // namespace choir
