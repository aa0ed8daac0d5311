#include "choir/crypto/signature.h"

#include <string>

#include <gtest/gtest.h>

namespace choir {
namespace {

std::span<const std::byte> text_bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

TEST(Signature, IsOfOneKeyOnePurposeAndOneContent) {
  const SigningKey mine = SigningKey::fresh();
  const SigningKey other = SigningKey::fresh();
  Signature signature = mine.sign("greeting", text_bytes("hello"));
  EXPECT_TRUE(is_signed_by(mine.public_key(), "greeting", text_bytes("hello"), signature));
  EXPECT_FALSE(is_signed_by(other.public_key(), "greeting", text_bytes("hello"), signature));
  EXPECT_FALSE(is_signed_by(mine.public_key(), "farewell", text_bytes("hello"), signature));
  EXPECT_FALSE(is_signed_by(mine.public_key(), "greeting", text_bytes("hullo"), signature));
  for (const std::size_t place : {0u, 31u, 63u}) {
    Signature changed = signature;
    changed[place] ^= std::byte{1};
    EXPECT_FALSE(is_signed_by(mine.public_key(), "greeting", text_bytes("hello"), changed)) << place;
  }
}

TEST(SigningKey, IsDrawnAnew) {
  EXPECT_NE(SigningKey::fresh().public_key(), SigningKey::fresh().public_key());
}

// All zeros are no point of large order; a library that took it would accept signatures of nobody.
TEST(Signature, OfAWeakKeyIsNone) {
  EXPECT_FALSE(is_signed_by(IdentityKey{}, "greeting", text_bytes("hello"), Signature{}));
}

}  // namespace
}  // namespace choir
