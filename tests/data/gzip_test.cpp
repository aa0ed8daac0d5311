#include "choir/data/gzip.h"

#include "data/gzip_support.h"
#include "data/support.h"

namespace choir {
namespace {

constexpr std::uint64_t plenty = 1u << 24;

std::string unpacked(std::string_view packed) { return as_text(gunzip(as_bytes(packed), "x.gz", plenty)); }

TEST(Gunzip, GivesBackWhatWasPacked) {
  EXPECT_EQ(unpacked(gzip("")), "");
  EXPECT_EQ(unpacked(gzip("hello")), "hello");
  std::string long_text;
  for (int i = 0; i < 200000; ++i) long_text += std::to_string(i * 7919 % 100003);
  EXPECT_EQ(unpacked(gzip(long_text)), long_text);
}

TEST(Gunzip, ReadsSeveralMembersInARow) { EXPECT_EQ(unpacked(gzip("one ") + gzip("two")), "one two"); }

TEST(Gunzip, RefusesATruncatedStreamAtEveryLength) {
  const std::string packed = gzip("some words to pack, some words to pack");
  for (std::size_t length = 0; length < packed.size(); ++length) {
    EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { unpacked(packed.substr(0, length)); }),
                AllOf(HasSubstr("x.gz"), HasSubstr("truncated")))
        << length;
  }
}

TEST(Gunzip, RefusesAnAlteredStream) {
  std::string packed = gzip("some words to pack, some words to pack");
  packed[packed.size() - 6] ^= 1;  // in the checksum
  EXPECT_THAT(sentence(ErrorCategory::BadData, [&] { unpacked(packed); }), HasSubstr("damaged"));
}

TEST(Gunzip, StopsABombAtItsLimit) {
  const std::string bomb = gzip(std::string(std::size_t{1} << 25, '\0'));
  EXPECT_LT(bomb.size(), std::size_t{1} << 16);
  EXPECT_THAT(sentence(ErrorCategory::OutOfMemory, [&] { unpacked(bomb); }), HasSubstr("more than 16.0 MiB"));
}

TEST(Gunzip, IsRecognised) {
  EXPECT_TRUE(is_gzip(as_bytes(gzip("x"))));
  EXPECT_FALSE(is_gzip(as_bytes("\x1f")));
  EXPECT_FALSE(is_gzip({}));
}

}  // namespace
}  // namespace choir
