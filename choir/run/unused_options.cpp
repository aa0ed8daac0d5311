#include "choir/run/unused_options.h"

#include "choir/base/error.h"

namespace choir {

void refuse_unused(const OptionTarget& settings, std::initializer_list<const char*> options,
                   const char* because_of, const char* why) {
  for (const char* option : options) {
    if (!settings.was_given(option)) continue;
    fail(ErrorCategory::InvalidArgument, "--{} decides nothing with {}: {}; omit it", option, because_of,
         why);
  }
}

}  // namespace choir
