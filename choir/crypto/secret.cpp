#include "choir/crypto/secret.h"

#include <utility>

#include "choir/crypto/sodium.h"

namespace choir {

Secret Secret::random(std::size_t size) {
  require_sodium();
  Secret secret(size);
  if (size > 0) randombytes_buf(secret.bytes_.data(), size);  // none have no address
  return secret;
}

Secret::~Secret() { wipe(); }

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this == &other) return *this;
  wipe();
  bytes_ = std::exchange(other.bytes_, {});
  return *this;
}

// One that was moved from has no bytes.
void Secret::wipe() {
  if (!bytes_.empty()) sodium_memzero(bytes_.data(), bytes_.size());
}

}  // namespace choir
