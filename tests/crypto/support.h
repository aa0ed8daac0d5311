// Bytes as people write them.
#pragma once

#include <charconv>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/expect_error.h"
#include <fmt/format.h>

#include "choir/crypto/secret.h"

namespace choir::testing {

inline std::vector<std::byte> from_hex(std::string_view text) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    unsigned value = 0;
    std::from_chars(text.data() + i, text.data() + i + 2, value, 16);
    bytes.push_back(static_cast<std::byte>(value));
  }
  return bytes;
}

inline std::string to_hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

inline Secret secret_of(std::span<const std::byte> bytes) {
  Secret secret(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) secret.bytes()[i] = bytes[i];
  return secret;
}

// 0, 1, 2, ...
inline Secret counting_secret(std::size_t size) {
  Secret secret(size);
  for (std::size_t i = 0; i < size; ++i) secret.bytes()[i] = static_cast<std::byte>(i);
  return secret;
}

}  // namespace choir::testing

// The names that nearly every test here uses.
namespace choir {

using testing::counting_secret;
using testing::expect_error;
using testing::from_hex;
using testing::secret_of;
using testing::to_hex;

}  // namespace choir
