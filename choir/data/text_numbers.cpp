#include "choir/data/text_numbers.h"

#include <limits>

#include <fast_float/fast_float.h>

namespace choir {

std::optional<double> number(std::string_view field) {
  if (field.starts_with('+')) field.remove_prefix(1);
  if (field.empty() || field.front() == '+') return std::nullopt;
  double value = 0;
  const char* const end = field.data() + field.size();
  const auto [stop, status] = fast_float::from_chars(field.data(), end, value);
  const bool read = status == std::errc() || status == std::errc::result_out_of_range;
  if (!read || stop != end) return std::nullopt;
  return value;
}

std::optional<double> number_or_missing(std::string_view field) {
  if (field.empty() || field == "NA") return std::numeric_limits<double>::quiet_NaN();
  return number(field);
}

std::string_view excerpt(std::string_view field) { return field.substr(0, 40); }

}  // namespace choir
