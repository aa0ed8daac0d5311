// What a node of online-kernel is after a round, as a file that numpy opens as an .npz: all bits of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "choir/learn/online_kernel/online_kernel.h"

namespace choir {

// A node and where its stream was: behind as many records as it had learned from, and the bad ones.
struct SavedState {
  online_kernel::State state = {};
  std::uint64_t bad_records = 0;

  std::uint64_t records() const { return state.samples + bad_records; }
};

// `identity`: what must be the same for the state to be of use.
void save_state(const std::filesystem::path& path, const SavedState& saved, const std::string& identity);
// Throws Error(Io), Error(BadData) for a file that is damaged, Error(InvalidArgument) for a state with
// another identity.
SavedState load_state(const std::filesystem::path& path, const std::string& identity);

}  // namespace choir
