#include "choir/crypto/sha256.h"

#include <array>

#include <fmt/format.h>

#include "choir/crypto/sodium.h"

namespace choir {

std::string sha256(std::span<const std::byte> bytes) {
  require_sodium();
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
  crypto_hash_sha256(digest.data(), input(bytes), bytes.size());
  std::string hex;
  for (const unsigned char byte : digest) hex += fmt::format("{:02x}", byte);
  return hex;
}

}  // namespace choir
