#include "choir/base/choices.h"

#include <fmt/ranges.h>

#include "choir/base/error.h"

namespace choir {

void refuse_choice(std::string_view option, std::string_view text,
                   const std::vector<std::string_view>& choices) {
  fail(ErrorCategory::InvalidArgument, "{} is '{}'; it must be one of {}", option, text,
       fmt::join(choices, ", "));
}

}  // namespace choir
