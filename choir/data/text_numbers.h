// Numbers in text files, fast and whatever the locale.
#pragma once

#include <optional>
#include <string_view>

namespace choir {

// The whole field as a number: "1", "+2.5e-3", "nan", "inf", also "1e999" (infinite). An empty field and
// NA are NaN, a missing value. Nothing for anything else.
std::optional<double> number_or_missing(std::string_view field);

// The same without missing values.
std::optional<double> number(std::string_view field);

// "..." shortened to what fits a sentence.
std::string_view excerpt(std::string_view field);

}  // namespace choir
