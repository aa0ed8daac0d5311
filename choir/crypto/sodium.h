// libsodium, ready for use. For the sources of this room only: nobody else includes <sodium.h>.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

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

// Its length (8 bytes, little-endian) and then the text, so that "ab", "c" and "a", "bc" differ.
inline void add_text(crypto_generichash_state& state, std::string_view text) {
  std::array<std::byte, 8> length;
  for (std::size_t i = 0; i < length.size(); ++i) {
    length[i] = static_cast<std::byte>(static_cast<std::uint64_t>(text.size()) >> (8 * i));
  }
  crypto_generichash_update(&state, input(length), length.size());
  crypto_generichash_update(&state, input(std::as_bytes(std::span(text))), text.size());
}

}  // namespace choir
