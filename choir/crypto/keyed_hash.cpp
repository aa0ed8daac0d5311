#include "choir/crypto/keyed_hash.h"

#include "choir/base/error.h"
#include "choir/crypto/sodium.h"

namespace choir {

Hash keyed_hash(const Secret& key, std::string_view purpose, std::span<const std::string> texts) {
  require_sodium();
  if (key.size() != hash_key_bytes) {
    fail(ErrorCategory::InvalidArgument, "the key of a hash has {} bytes; it needs {}", key.size(),
         hash_key_bytes);
  }
  Hash hash;
  crypto_generichash_state state;
  crypto_generichash_init(&state, input(key.bytes()), key.size(), hash.size());
  add_text(state, purpose);
  for (const std::string& text : texts) add_text(state, text);
  crypto_generichash_final(&state, output(hash), hash.size());
  sodium_memzero(&state, sizeof state);
  return hash;
}

}  // namespace choir
