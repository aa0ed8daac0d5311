// libhdf5, alone and below matio, keeps global state and is built without locks: its users take turns.
#pragma once

#include <mutex>

namespace choir {

std::mutex& hdf5_turn();

}  // namespace choir
