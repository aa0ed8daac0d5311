#include "choir/crypto/fingerprint.h"

#include <string>

#include <gtest/gtest.h>

namespace choir {
namespace {

Hash of(std::string_view purpose, std::string_view text) {
  return fingerprint(purpose, std::as_bytes(std::span(text)));
}

// Python: hashlib.blake2b((3).to_bytes(8, "little") + b"abc" + b"choir", digest_size=32).hexdigest()
TEST(Fingerprint, IsBlake2bOfPurposeAndBytes) {
  std::string hex;
  constexpr std::string_view digits = "0123456789abcdef";
  for (const std::byte byte : of("abc", "choir")) {
    hex += digits[std::to_integer<std::size_t>(byte) >> 4];
    hex += digits[std::to_integer<std::size_t>(byte) & 15];
  }
  EXPECT_EQ(hex, "d96745bb1d6799f9b5ecbe62fe84a39c2d3d1140416b61ba87b2c7e4ff748c4e");
}

TEST(Fingerprint, TellsPurposesAndContentsApart) {
  EXPECT_EQ(of("a", "bc"), of("a", "bc"));
  EXPECT_NE(of("a", "bc"), of("ab", "c"));
  EXPECT_NE(of("a", "bc"), of("a", "bd"));
  EXPECT_NE(of("a", ""), of("b", ""));
}

}  // namespace
}  // namespace choir
