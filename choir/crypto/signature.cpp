#include "choir/crypto/signature.h"

#include "choir/crypto/fingerprint.h"
#include "choir/crypto/sodium.h"

namespace choir {

static_assert(std::tuple_size_v<IdentityKey> == crypto_sign_PUBLICKEYBYTES);
static_assert(std::tuple_size_v<Signature> == crypto_sign_BYTES);
static_assert(crypto_sign_SECRETKEYBYTES == 64);

SigningKey SigningKey::fresh() {
  require_sodium();
  SigningKey key;
  crypto_sign_keypair(output(key.public_key_), output(key.secret_key_.bytes()));
  return key;
}

Signature SigningKey::sign(std::string_view purpose, std::span<const std::byte> content) const {
  require_sodium();
  const Hash digest = fingerprint(purpose, content);
  Signature signature;
  crypto_sign_detached(output(signature), nullptr, input(digest), digest.size(), input(secret_key_.bytes()));
  return signature;
}

bool is_signed_by(const IdentityKey& signer, std::string_view purpose, std::span<const std::byte> content,
                  const Signature& signature) {
  require_sodium();
  const Hash digest = fingerprint(purpose, content);
  return crypto_sign_verify_detached(input(signature), input(digest), digest.size(), input(signer)) == 0;
}

}  // namespace choir
