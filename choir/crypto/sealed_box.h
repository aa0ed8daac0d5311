// A message that only the owner of a key pair can read, from nobody in particular: libsodium's sealed box
// (a fresh X25519 key per message, XSalsa20 and Poly1305).
//
//   const KeyPair mine = KeyPair::fresh();                       // publish mine.public_key
//   const std::vector<std::byte> box = seal(secret.bytes(), mine.public_key);
//   const Secret same = open_box(box, mine);
//
// The box does not say who sealed it, and public keys are not authenticated here.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "choir/crypto/secret.h"

namespace choir {

using PublicKey = std::array<std::byte, 32>;

struct KeyPair {
  PublicKey public_key = {};
  Secret secret_key;

  static KeyPair fresh();
  // Throws Error(InvalidArgument) unless it has 32 bytes.
  static KeyPair of(Secret secret_key);
};

inline constexpr std::size_t seal_overhead = 48;  // bytes that a box is longer than what is in it

// Throws Error(BadData) for an invalid public key (points of small order).
std::vector<std::byte> seal(std::span<const std::byte> content, const PublicKey& recipient);

// Throws Error(BadData) for a box that is damaged or sealed for somebody else.
Secret open_box(std::span<const std::byte> box, const KeyPair& recipient);

}  // namespace choir
