// Words that only the owner of a key can have said: Ed25519 signatures.
//
//   const SigningKey mine = SigningKey::fresh();                          // publish mine.public_key()
//   const Signature signature = mine.sign("key of a run", content);
//   if (!is_signed_by(mine.public_key(), "key of a run", content, signature)) ...
//
// A signature for one purpose is none for another.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "choir/crypto/secret.h"

namespace choir {

using IdentityKey = std::array<std::byte, 32>;  // the public half
using Signature = std::array<std::byte, 64>;

class SigningKey {
 public:
  static SigningKey fresh();

  const IdentityKey& public_key() const { return public_key_; }
  // Of the fingerprint of the content under that purpose.
  Signature sign(std::string_view purpose, std::span<const std::byte> content) const;

 private:
  SigningKey() = default;
  IdentityKey public_key_ = {};
  Secret secret_key_{64};
};

bool is_signed_by(const IdentityKey& signer, std::string_view purpose, std::span<const std::byte> content,
                  const Signature& signature);

}  // namespace choir
