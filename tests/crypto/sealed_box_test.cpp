#include "choir/crypto/sealed_box.h"

#include <string_view>

#include "crypto/support.h"
#include "graph/expect_error.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

// Bob's key pair of RFC 7748, section 6.1.
constexpr std::string_view bob_secret = "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb";
constexpr std::string_view bob_public = "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f";

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

TEST(KeyPair, HasThePublicKeyOfRfc7748) {
  EXPECT_EQ(to_hex(KeyPair::of(secret_of(from_hex(bob_secret))).public_key), bob_public);
}

TEST(KeyPair, RefusesASecretOfAnotherLength) {
  expect_error(ErrorCategory::InvalidArgument, {"has 31 bytes"}, [] { KeyPair::of(Secret(31)); });
}

// Sealed for Bob by another implementation, with the secret key 01 02 ... 20 as its fresh one: X25519 and
// Poly1305 of OpenSSL, Salsa20 and HSalsa20 written down from their specification, BLAKE2b of Python.
TEST(SealedBox, OpensWhatAnotherImplementationSealed) {
  const auto box = from_hex(
      "07a37cbc142093c8b755dc1b10e86cb426374ad16aa853ed0bdfc0b2b86d1c7cda12e5cde672b4d616f63674b2d812fac283bd"
      "5d24c99150cad0cb0a69ea8f71c3c40d");
  const Secret content = open_box(box, KeyPair::of(secret_of(from_hex(bob_secret))));
  EXPECT_EQ(to_hex(content.bytes()), to_hex(bytes_of("the parties' secret")));
}

TEST(SealedBox, IsOpenedByItsRecipientAlone) {
  const KeyPair recipient = KeyPair::fresh();
  for (const std::string_view text : {"", "a", "thirty-two bytes of a hash's key"}) {
    const auto content = bytes_of(text);
    const auto box = seal(content, recipient.public_key);
    EXPECT_EQ(box.size(), content.size() + seal_overhead);
    EXPECT_EQ(to_hex(open_box(box, recipient).bytes()), to_hex(content));
    expect_error(ErrorCategory::BadData, {"another key"}, [&] { open_box(box, KeyPair::fresh()); });
  }
}

TEST(SealedBox, OfTheSameContentNeverLooksTheSame) {
  const KeyPair recipient = KeyPair::fresh();
  const auto content = bytes_of("secret");
  EXPECT_NE(seal(content, recipient.public_key), seal(content, recipient.public_key));
}

TEST(SealedBox, IsRefusedWhereverOneBitIsWrongAndWhereverItEnds) {
  const KeyPair recipient = KeyPair::fresh();
  const auto box = seal(bytes_of("secret"), recipient.public_key);
  for (std::size_t i = 0; i < box.size(); ++i) {
    auto damaged = box;
    // The highest bit of the fresh public key means nothing in X25519, but the nonce depends on it.
    damaged[i] ^= std::byte{0x80};
    expect_error(ErrorCategory::BadData, {"cannot be opened"}, [&] { open_box(damaged, recipient); });
    const std::span<const std::byte> shortened = std::span(box).first(i);
    expect_error(ErrorCategory::BadData, {"box"}, [&] { open_box(shortened, recipient); });
  }
}

TEST(SealedBox, IsNotMadeForAKeyThatIsNone) {
  expect_error(ErrorCategory::BadData, {"public key is not valid"}, [] { seal({}, PublicKey{}); });
}

}  // namespace
}  // namespace choir
