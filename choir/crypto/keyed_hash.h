// A fingerprint of a sequence of texts that only the owners of a key can compute: BLAKE2b with 32 bytes of
// key and of result. Without the key nobody can try texts against it.
//
//   const Secret key = Secret::random(hash_key_bytes);
//   const Hash order = keyed_hash(key, "order of samples", keys);
//
// Every text goes in with its length, so "ab", "c" and "a", "bc" differ; hashes for different purposes never
// match.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "choir/crypto/secret.h"

namespace choir {

using Hash = std::array<std::byte, 32>;
inline constexpr std::size_t hash_key_bytes = 32;

// BLAKE2b-256 of the purpose and then each text, each as its length (8 bytes, little-endian) and its bytes.
// Throws Error(InvalidArgument) unless the key has hash_key_bytes.
Hash keyed_hash(const Secret& key, std::string_view purpose, std::span<const std::string> texts);

}  // namespace choir
