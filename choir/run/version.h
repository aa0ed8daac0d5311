// The version of choir, "0.2.0".
#pragma once

#include <string>

namespace choir {

std::string version();

}  // namespace choir
