#include "choir/crypto/fingerprint.h"

#include "choir/crypto/sodium.h"

namespace choir {

Hash fingerprint(std::string_view purpose, std::span<const std::byte> bytes) {
  require_sodium();
  Hash hash;
  crypto_generichash_state state;
  crypto_generichash_init(&state, nullptr, 0, hash.size());
  add_text(state, purpose);
  crypto_generichash_update(&state, input(bytes), bytes.size());
  crypto_generichash_final(&state, output(hash), hash.size());
  return hash;
}

}  // namespace choir
