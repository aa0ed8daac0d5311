// What a run of online-kernel under differential privacy does not do: options that would show samples beside
// the one noisy total (learn/online_kernel/private_options.h has the method's own).
//
//   if (settings.privacy.asked.wanted()) require_private(settings);
#pragma once

#include "choir/run/online/settings.h"

namespace choir {

// Throws Error(InvalidArgument) naming the option and what to do instead.
void require_private(const OnlineSettings& settings);

}  // namespace choir
