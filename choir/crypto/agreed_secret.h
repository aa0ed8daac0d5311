// A secret that two owners of key pairs have in common without sending it, and secrets made from a secret.
//
//   const Secret ours = agreed_secret(mine, theirs, "masks");          // the other side finds the same
//   const Secret seed = derived_secret(ours, "round", 7);              // says nothing about that of round 8
//
// Public keys are not authenticated: anyone who can replace one in transit agrees with both sides.
#pragma once

#include <cstdint>
#include <string_view>

#include "choir/crypto/sealed_box.h"
#include "choir/crypto/secret.h"

namespace choir {

// 32 bytes: the keyed hash of the purpose and both public keys, the smaller one first, with what X25519 makes
// of the two pairs as its key. Throws Error(BadData) for an invalid public key (points of small order).
Secret agreed_secret(const KeyPair& mine, const PublicKey& theirs, std::string_view purpose);

// 32 bytes: the keyed hash of the purpose and the number (8 bytes, little-endian). Throws
// Error(InvalidArgument) unless the key has hash_key_bytes.
Secret derived_secret(const Secret& key, std::string_view purpose, std::uint64_t number);

}  // namespace choir
