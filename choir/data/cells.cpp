#include "choir/data/cells.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/data/text_numbers.h"

namespace choir {
namespace {

constexpr std::array<std::string_view, 6> always_missing = {"", "?", "na", "n/a", "nan", "null"};

std::string lower_case(std::string_view cell) {
  std::string text(cell);
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// As many digits as there are places.
std::optional<int> digits(std::string_view text) {
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return value;
}

std::optional<double> days_of(std::string_view year, std::string_view month, std::string_view day) {
  const std::optional<int> y = digits(year), m = digits(month), d = digits(day);
  if (!y || !m || !d) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*y), std::chrono::month(static_cast<unsigned>(*m)),
                                         std::chrono::day(static_cast<unsigned>(*d))};
  if (!date.ok()) return std::nullopt;
  return static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
}

// Of "13:45" or "13:45:10", as a share of the day.
std::optional<double> time_of_day(std::string_view text) {
  const bool has_seconds = text.size() == 8 && text[5] == ':';
  if ((text.size() != 5 && !has_seconds) || text[2] != ':') return std::nullopt;
  const std::optional<int> hours = digits(text.substr(0, 2)), minutes = digits(text.substr(3, 2)),
                           seconds = has_seconds ? digits(text.substr(6, 2)) : 0;
  if (!hours || !minutes || !seconds || *hours > 23 || *minutes > 59 || *seconds > 59) return std::nullopt;
  return (*hours * 3600.0 + *minutes * 60.0 + *seconds) / 86400;
}

}  // namespace

CellRules::CellRules(const std::vector<std::string>& missing, char decimal)
    : missing_(missing.begin(), missing.end()), decimal_(decimal) {
  if (decimal == '.' || decimal == ',') return;
  fail(ErrorCategory::InvalidArgument, "the decimal point is '{}'; it must be . or ,", decimal);
}

bool CellRules::is_missing(std::string_view cell) const {
  if (cell.size() <= 4 && std::ranges::count(always_missing, lower_case(cell)) > 0) return true;
  return missing_.contains(cell);
}

std::optional<double> CellRules::number(std::string_view cell) const {
  if (decimal_ == '.') return choir::number(cell);
  std::string text;
  for (const char c : cell) {
    if (c != '.') text += c == ',' ? '.' : c;
  }
  return choir::number(text);
}

std::optional<bool> truth_value(std::string_view cell) {
  if (cell.size() < 2 || cell.size() > 5) return std::nullopt;
  const std::string word = lower_case(cell);
  if (word == "true" || word == "yes") return true;
  if (word == "false" || word == "no") return false;
  return std::nullopt;
}

std::optional<double> days_since_1970(std::string_view cell) {
  if (cell.size() == 10 && cell[2] == '.' && cell[5] == '.')
    return days_of(cell.substr(6), cell.substr(3, 2), cell.substr(0, 2));
  if (cell.size() < 10 || cell[4] != '-' || cell[7] != '-') return std::nullopt;
  const std::optional<double> days = days_of(cell.substr(0, 4), cell.substr(5, 2), cell.substr(8, 2));
  if (!days || cell.size() == 10) return days;
  if (cell[10] != ' ' && cell[10] != 'T') return std::nullopt;
  const std::optional<double> time = time_of_day(cell.substr(11));
  if (!time) return std::nullopt;
  return *days + *time;
}

}  // namespace choir
