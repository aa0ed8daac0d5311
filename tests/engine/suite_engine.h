// The engine that the suite runs over, chosen on the command line.
#pragma once

#include <memory>

#include "choir/runtime/engines.h"

namespace choir {

std::unique_ptr<Engine>& suite_engine();

}  // namespace choir
