// The checksum of files: SHA-256, which everybody's tools compute, too.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace choir {

// In lower-case hex.
std::string sha256(std::span<const std::byte> bytes);

}  // namespace choir
