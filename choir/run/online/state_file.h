// What a node of online-kernel is after a round, as a file that numpy opens as an .npz: all bits of it.
#pragma once

#include <filesystem>
#include <string>

#include "choir/learn/online_kernel/online_kernel.h"

namespace choir {

// `identity`: what must be the same for the state to be of use.
void save_state(const std::filesystem::path& path, const online_kernel::State& state,
                const std::string& identity);
// Throws Error(Io), Error(BadData) for a file that is damaged, Error(InvalidArgument) for a state with
// another identity.
online_kernel::State load_state(const std::filesystem::path& path, const std::string& identity);

}  // namespace choir
