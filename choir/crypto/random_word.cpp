#include "choir/crypto/random_word.h"

#include <fmt/format.h>

#include "choir/crypto/secret.h"

namespace choir {

std::string random_word() {
  const Secret bytes = Secret::random(16);
  std::string word;
  for (const std::byte byte : bytes.bytes()) word += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return word;
}

}  // namespace choir
