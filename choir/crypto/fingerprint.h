// A hash that everybody can compute: of what is public, or as a commitment to what is long and random.
//
//   const Hash commitment = fingerprint("contribution to a draw", secret.bytes());     // 32 random bytes
//
// Fingerprints for different purposes never match.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "choir/crypto/keyed_hash.h"

namespace choir {

// BLAKE2b-256 of the purpose's length (8 bytes, little-endian), the purpose and the bytes.
Hash fingerprint(std::string_view purpose, std::span<const std::byte> bytes);

}  // namespace choir
