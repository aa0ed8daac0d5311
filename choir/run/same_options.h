// Whether all processes of a run were given the same: compared before anything else, by a hash, and named if
// it differs.
#pragma once

#include "choir/run/method.h"
#include "choir/runtime/process_group.h"

namespace choir {

// Throws Error(InvalidArgument) in all processes that names the first option that differs, and both values.
// Options that are every party's own affair are not told.
void require_same_options(const MethodInfo& info, const Settings& settings, ProcessGroup& processes);

}  // namespace choir
