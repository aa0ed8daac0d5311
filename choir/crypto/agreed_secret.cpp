#include "choir/crypto/agreed_secret.h"

#include <algorithm>
#include <array>
#include <string>

#include "choir/base/error.h"
#include "choir/crypto/keyed_hash.h"
#include "choir/crypto/sodium.h"

namespace choir {
namespace {

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string text_of(std::uint64_t number) {
  std::string text;
  for (int i = 0; i < 8; ++i) text += static_cast<char>(number >> (8 * i));
  return text;
}

Secret hashed(const Secret& key, std::string_view purpose, std::span<const std::string> texts) {
  Hash hash = keyed_hash(key, purpose, texts);
  Secret secret(hash.size());
  std::copy(hash.begin(), hash.end(), secret.bytes().begin());
  sodium_memzero(hash.data(), hash.size());
  return secret;
}

}  // namespace

Secret agreed_secret(const KeyPair& mine, const PublicKey& theirs, std::string_view purpose) {
  require_sodium();
  Secret point(crypto_scalarmult_BYTES);
  if (crypto_scalarmult(output(point.bytes()), input(mine.secret_key.bytes()), input(theirs)) != 0) {
    throw Error(
        ErrorCategory::BadData,
        "a public key is not valid, so no secret can be agreed on with it; its sender must draw a new one");
  }
  const auto [first, second] = std::minmax(mine.public_key, theirs);
  const std::array<std::string, 2> keys = {text_of(first), text_of(second)};
  return hashed(point, purpose, keys);
}

Secret derived_secret(const Secret& key, std::string_view purpose, std::uint64_t number) {
  const std::array<std::string, 1> texts = {text_of(number)};
  return hashed(key, purpose, texts);
}

}  // namespace choir
