#include "choir/learn/privacy/privacy_options.h"

#include <cmath>

#include "choir/base/error.h"

namespace choir {

void validate(const PrivacyOptions& options) {
  const auto require = [](bool holds, const char* name, double value, const char* range) {
    if (!holds) fail(ErrorCategory::InvalidArgument, "{} is {}; it must be {}", name, value, range);
  };
  if (options.clip)
    require(*options.clip > 0 && std::isfinite(*options.clip), "clip", *options.clip, "above 0");
  if (!options.wanted()) return;
  require(*options.epsilon > 0 && std::isfinite(*options.epsilon), "privacy", *options.epsilon, "above 0");
  require(options.delta > 0 && options.delta < 1, "delta", options.delta, "between 0 and 1");
}

}  // namespace choir
