#include "choir/crypto/fingerprint.h"

#include <array>
#include <cstdint>

#include "choir/crypto/sodium.h"

namespace choir {

Hash fingerprint(std::string_view purpose, std::span<const std::byte> bytes) {
  require_sodium();
  std::array<std::byte, 8> length;
  for (std::size_t i = 0; i < length.size(); ++i) {
    length[i] = static_cast<std::byte>(static_cast<std::uint64_t>(purpose.size()) >> (8 * i));
  }
  Hash hash;
  crypto_generichash_state state;
  crypto_generichash_init(&state, nullptr, 0, hash.size());
  crypto_generichash_update(&state, input(length), length.size());
  crypto_generichash_update(&state, input(std::as_bytes(std::span(purpose))), purpose.size());
  crypto_generichash_update(&state, input(bytes), bytes.size());
  crypto_generichash_final(&state, output(hash), hash.size());
  return hash;
}

}  // namespace choir
