// What options of methods may be: refusals that all methods word alike.
//
//   require_at_least("window", options.window, 1);     // "window is 0; it must be at least 1"
#pragma once

#include <string_view>

#include "choir/base/deadline.h"
#include "choir/base/types.h"

namespace choir {

// Throw Error(InvalidArgument) naming the option.
void require_at_least(std::string_view option, Index value, Index least);
void require_positive(std::string_view option, Duration duration);
void require_positive(std::string_view option, double value);      // and finite
void require_not_negative(std::string_view option, double value);  // and finite

}  // namespace choir
