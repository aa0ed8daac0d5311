#include "choir/base/deadline.h"

#include <array>
#include <cmath>
#include <utility>

#include "choir/base/error.h"
#include "choir/base/text.h"

namespace choir {

Time steady_now() {
  return Time(std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch()));
}

Deadline Deadline::after(Duration duration, Time now) {
  if (duration >= Time::max() - now) return never();
  return Deadline(now + duration);
}

Duration Deadline::remaining(Time now) const {
  if (is_never()) return Duration::max();
  return now >= time_ ? Duration::zero() : time_ - now;
}

Duration parse_duration(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, double>, 6> units = {
      {{"ns", 1.0}, {"us", 1e3}, {"ms", 1e6}, {"min", 60e9}, {"h", 3600e9}, {"s", 1e9}}};
  for (const auto& [unit, nanoseconds] : units) {
    if (!text.ends_with(unit)) continue;
    const auto number = parse_number(text.substr(0, text.size() - unit.size()));
    const double value = number ? *number * nanoseconds : -1;
    if (std::isfinite(value) && value >= 0 && value < 9e18)
      return Duration(static_cast<Duration::rep>(value));
    break;
  }
  fail(ErrorCategory::InvalidArgument,
       "'{}' is not a duration; write a number with the unit ns, us, ms, s, min or h, such as 5ms", text);
}

}  // namespace choir
