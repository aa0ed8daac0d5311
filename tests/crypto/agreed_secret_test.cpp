#include "choir/crypto/agreed_secret.h"

#include <algorithm>
#include <set>

#include "crypto/support.h"
#include "graph/expect_error.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

PublicKey key_of(std::string_view hex) {
  PublicKey key;
  std::ranges::copy(from_hex(hex), key.begin());
  return key;
}

std::string text_of(const Secret& secret) { return to_hex(secret.bytes()); }

// RFC 7748, section 6.1: Bob's secret key, Alice's public one, from which X25519 makes 4a5d9d5b...1e161742.
// hashlib.blake2b(b"".join(len(t).to_bytes(8, "little") + t for t in (b"test", alice, bob)), digest_size=32,
// key=that)
TEST(AgreedSecret, IsTheHashOfWhatX25519MakesInRfc7748) {
  const KeyPair bob =
      KeyPair::of(secret_of(from_hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")));
  const PublicKey alice = key_of("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
  EXPECT_EQ(text_of(agreed_secret(bob, alice, "test")),
            "6b12721f1b49ffc06e0a859ad67a321c330c4bd02be599e3bfccf8b30ffee2b2");
}

TEST(AgreedSecret, IsTheSameOnBothSidesAndAnotherForEachPairAndPurpose) {
  const KeyPair a = KeyPair::fresh();
  const KeyPair b = KeyPair::fresh();
  const KeyPair c = KeyPair::fresh();
  const std::string ours = text_of(agreed_secret(a, b.public_key, "masks"));
  EXPECT_EQ(ours, text_of(agreed_secret(b, a.public_key, "masks")));
  EXPECT_NE(ours, text_of(agreed_secret(a, c.public_key, "masks")));
  EXPECT_NE(ours, text_of(agreed_secret(a, b.public_key, "seals")));
}

// The highest bit means nothing to X25519; the hash of the public keys makes it count.
TEST(AgreedSecret, IsAnotherWhereverOneBitOfAKeyIsWrong) {
  const KeyPair a = KeyPair::fresh();
  const KeyPair b = KeyPair::fresh();
  std::set<std::string> seen = {text_of(agreed_secret(b, a.public_key, "masks"))};
  for (std::size_t i = 0; i < 256; ++i) {
    PublicKey damaged = b.public_key;
    damaged[i / 8] ^= std::byte{1} << (i % 8);
    EXPECT_TRUE(seen.insert(text_of(agreed_secret(a, damaged, "masks"))).second) << "bit " << i;
  }
}

TEST(AgreedSecret, IsNotMadeWithAKeyOfSmallOrder) {
  const KeyPair mine = KeyPair::fresh();
  for (const char* key : {"0000000000000000000000000000000000000000000000000000000000000000",
                          "0100000000000000000000000000000000000000000000000000000000000000",
                          "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
                          "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"}) {
    expect_error(ErrorCategory::BadData, {"public key is not valid"},
                 [&] { agreed_secret(mine, key_of(key), "masks"); });
  }
}

// The same with key=bytes(range(32)) and the number's eight bytes as the one text.
TEST(DerivedSecret, IsTheHashOfANumberAsPythonComputesIt) {
  Secret key(32);
  for (std::size_t i = 0; i < key.size(); ++i) key.bytes()[i] = static_cast<std::byte>(i);
  EXPECT_EQ(text_of(derived_secret(key, "test", 7)),
            "e7acdce575bee9b9dda69779ee70c83dac93f331d4b71f4a855f397cdcdcac2b");
  EXPECT_EQ(text_of(derived_secret(key, "test", 0x0102030405060708)),
            "15897ec78829093914a3ab74e836ea1de61329b1fc8b34ded14b7e7579a15019");
}

TEST(DerivedSecret, RefusesAKeyOfAnotherLength) {
  expect_error(ErrorCategory::InvalidArgument, {"it needs 32"}, [] { derived_secret(Secret(31), "p", 0); });
}

}  // namespace
}  // namespace choir
