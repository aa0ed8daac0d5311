// libsodium, ready for use. For the sources of this room only: nobody else includes <sodium.h>.
#pragma once

#include <cstddef>
#include <span>

#include <sodium.h>

namespace choir {

// Every function of this room calls it before it calls the library. Throws Error(Unavailable) if the system
// has no source of randomness.
void require_sodium();

// The same bytes as the library likes to call them.
inline unsigned char* output(std::span<std::byte> bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());
}
inline const unsigned char* input(std::span<const std::byte> bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

}  // namespace choir
