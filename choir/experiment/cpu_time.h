// Time that this process has computed, over all threads: unlike the clock's, not what others on the machine
// do.
#pragma once

#include <ctime>

namespace choir {

inline double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace choir
