#include "choir/crypto/sealed_box.h"

#include <utility>

#include "choir/base/error.h"
#include "choir/crypto/sodium.h"

namespace choir {

static_assert(seal_overhead == crypto_box_SEALBYTES);
static_assert(std::tuple_size_v<PublicKey> == crypto_box_PUBLICKEYBYTES);

KeyPair KeyPair::fresh() { return of(Secret::random(crypto_box_SECRETKEYBYTES)); }

KeyPair KeyPair::of(Secret secret_key) {
  require_sodium();
  if (secret_key.size() != crypto_box_SECRETKEYBYTES) {
    fail(ErrorCategory::InvalidArgument, "a secret key has {} bytes; an X25519 key has {}", secret_key.size(),
         crypto_box_SECRETKEYBYTES);
  }
  KeyPair pair{.secret_key = std::move(secret_key)};
  crypto_scalarmult_base(output(pair.public_key), input(pair.secret_key.bytes()));
  return pair;
}

std::vector<std::byte> seal(std::span<const std::byte> content, const PublicKey& recipient) {
  require_sodium();
  std::vector<std::byte> box(content.size() + seal_overhead);
  if (crypto_box_seal(output(box), input(content), content.size(), input(recipient)) != 0) {
    throw Error(ErrorCategory::BadData,
                "a public key is not valid, so nothing can be sealed for it; its sender must draw a new one");
  }
  return box;
}

Secret open_box(std::span<const std::byte> box, const KeyPair& recipient) {
  require_sodium();
  if (box.size() < seal_overhead) {
    fail(ErrorCategory::BadData, "a sealed box has {} bytes; it needs at least {}", box.size(),
         seal_overhead);
  }
  Secret content(box.size() - seal_overhead);
  if (crypto_box_seal_open(output(content.bytes()), input(box), box.size(), input(recipient.public_key),
                           input(recipient.secret_key.bytes())) != 0) {
    throw Error(ErrorCategory::BadData,
                "a sealed box cannot be opened: it is damaged or was sealed for another key");
  }
  return content;
}

}  // namespace choir
