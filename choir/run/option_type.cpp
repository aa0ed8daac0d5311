#include "choir/run/option_type.h"

namespace choir {

std::string duration_text(Duration duration) {
  using std::chrono::duration_cast;
  struct Unit {
    Duration length;
    const char* name;
  };
  constexpr Unit units[] = {{std::chrono::hours(1), "h"},
                            {std::chrono::minutes(1), "min"},
                            {std::chrono::seconds(1), "s"},
                            {std::chrono::milliseconds(1), "ms"},
                            {std::chrono::microseconds(1), "us"}};
  for (const Unit& unit : units) {
    if (duration >= unit.length && duration % unit.length == Duration::zero()) {
      return fmt::format("{}{}", duration / unit.length, unit.name);
    }
  }
  return fmt::format("{}us", static_cast<double>(duration.count()) / 1000);
}

}  // namespace choir
