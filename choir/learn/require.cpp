#include "choir/learn/require.h"

#include <cmath>

#include "choir/base/error.h"

namespace choir {

void require_at_least(std::string_view option, Index value, Index least) {
  if (value < least)
    fail(ErrorCategory::InvalidArgument, "{} is {}; it must be at least {}", option, value, least);
}

void require_positive(std::string_view option, Duration duration) {
  if (duration <= Duration::zero())
    fail(ErrorCategory::InvalidArgument, "{} is {} ns; it must be positive", option, duration.count());
}

void require_positive(std::string_view option, double value) {
  if (!(value > 0 && std::isfinite(value)))
    fail(ErrorCategory::InvalidArgument, "{} is {}; it must be positive and finite", option, value);
}

void require_not_negative(std::string_view option, double value) {
  if (!(value >= 0 && std::isfinite(value)))
    fail(ErrorCategory::InvalidArgument, "{} is {}; it must be finite and non-negative", option, value);
}

}  // namespace choir
