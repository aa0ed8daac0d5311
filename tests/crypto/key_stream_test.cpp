#include "choir/crypto/key_stream.h"

#include <cstring>
#include <numeric>
#include <vector>

#include "crypto/support.h"
#include "graph/expect_error.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

using Words = std::vector<std::uint64_t>;

Words stream(const Secret& seed, std::size_t size) {
  Words words(size, 0);
  add_stream(seed, words, Sign::plus);
  return words;
}

std::string bytes_as_hex(const Words& words) {
  std::vector<std::byte> bytes;
  for (const std::uint64_t word : words) {
    for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<std::byte>(word >> (8 * i)));
  }
  return to_hex(bytes);
}

// Test vectors 1 and 2 of RFC 8439, appendix A.1: blocks 0 and 1 of the key of zeros.
TEST(KeyStream, IsThatOfRfc8439) {
  EXPECT_EQ(bytes_as_hex(stream(Secret(stream_seed_bytes), 16)),
            "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
            "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
            "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
            "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f");
}

// struct.unpack("<2000Q", ...) of OpenSSL's ChaCha20 with key=bytes(range(32)).
TEST(KeyStream, GoesOnAsOpenSslHasIt) {
  const Words words = stream(counting_secret(stream_seed_bytes), 2000);
  EXPECT_EQ(words[0], 0x6a19c5d97d2bfd39u);
  EXPECT_EQ(words[511], 0x324bd02fd7280280u);
  EXPECT_EQ(words[512], 0xc7e860c3db98c38eu);
  EXPECT_EQ(words[513], 0x273e6aae6e07680au);
  EXPECT_EQ(words[1999], 0xb8940d12fa94a425u);
  EXPECT_EQ(std::accumulate(words.begin(), words.end(), std::uint64_t{0}), 0x5c63d40d8286a888u);
}

TEST(KeyStream, BeginsTheSameWhateverItsLengthAndCancelsItself) {
  const Words all = stream(counting_secret(stream_seed_bytes), 1100);
  for (const std::size_t size : {0, 1, 7, 8, 511, 512, 513, 1024, 1100}) {
    const Words part = stream(counting_secret(stream_seed_bytes), size);
    EXPECT_EQ(part, Words(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size)));
    Words words(size);
    std::iota(words.begin(), words.end(), ~std::uint64_t{3});
    const Words before = words;
    add_stream(counting_secret(stream_seed_bytes), words, Sign::minus);
    EXPECT_EQ(size > 0, words != before);
    add_stream(counting_secret(stream_seed_bytes), words, Sign::plus);
    EXPECT_EQ(words, before);
  }
}

TEST(KeyStream, RefusesASeedOfAnotherLength) {
  expect_error(ErrorCategory::InvalidArgument, {"has 31 bytes; it needs 32"}, [] { stream(Secret(31), 1); });
}

}  // namespace
}  // namespace choir
