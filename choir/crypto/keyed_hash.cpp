#include "choir/crypto/keyed_hash.h"

#include <cstdint>

#include "choir/base/error.h"
#include "choir/crypto/sodium.h"

namespace choir {
namespace {

void add(crypto_generichash_state& state, std::string_view text) {
  std::array<std::byte, 8> length;
  for (std::size_t i = 0; i < length.size(); ++i) {
    length[i] = static_cast<std::byte>(static_cast<std::uint64_t>(text.size()) >> (8 * i));
  }
  crypto_generichash_update(&state, input(length), length.size());
  crypto_generichash_update(&state, input(std::as_bytes(std::span(text))), text.size());
}

}  // namespace

Hash keyed_hash(const Secret& key, std::string_view purpose, std::span<const std::string> texts) {
  require_sodium();
  if (key.size() != hash_key_bytes) {
    fail(ErrorCategory::InvalidArgument, "the key of a hash has {} bytes; it needs {}", key.size(),
         hash_key_bytes);
  }
  Hash hash;
  crypto_generichash_state state;
  crypto_generichash_init(&state, input(key.bytes()), key.size(), hash.size());
  add(state, purpose);
  for (const std::string& text : texts) add(state, text);
  crypto_generichash_final(&state, output(hash), hash.size());
  sodium_memzero(&state, sizeof state);
  return hash;
}

}  // namespace choir
