// How much memory there is and how much was used, in bytes.
#pragma once

#include <cstdint>

namespace choir {

// What a new allocation can count on: the kernel's estimate, or the control group's limit if that is less.
std::uint64_t available_memory();

// What this process holds now, and the most it has held since it started (resident).
std::uint64_t resident_memory();
std::uint64_t peak_memory();

}  // namespace choir
