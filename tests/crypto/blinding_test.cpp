#include "choir/crypto/blinding.h"

#include <algorithm>
#include <set>

#include "crypto/support.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

using Texts = std::vector<std::string>;

Point blinded(const Blinding& blinding, Point point) {
  blinding.blind({&point, 1}, 1);
  return point;
}

Point point_from(std::string_view hex) {
  Point point;
  std::ranges::copy(from_hex(hex), point.begin());
  return point;
}

// 1, 2, ..., 31, 0: below the order of the group.
Blinding known_blinding() {
  Secret exponent = counting_secret(32);
  for (std::size_t i = 0; i < 31; ++i) exponent.bytes()[i] = static_cast<std::byte>(i + 1);
  exponent.bytes()[31] = std::byte{0};
  return Blinding::of(std::move(exponent));
}

// By a transcript of RFC 9496 (sections 4.3.2, 4.3.4) in Python's whole numbers, of
// hashlib.blake2b(b"".join(len(t).to_bytes(8, "little") + t for t in (b"test", *texts))).digest().
TEST(PointOf, IsWhatRfc9496MakesOfBlake2b) {
  const auto hex = [](const Texts& texts) { return to_hex(point_of("test", texts)); };
  EXPECT_EQ(hex({"ab", "c"}), "52eb4d26577ba07426bf2969005fb311c3a3bc6ae856d19d57a4a13e8c7c0657");
  EXPECT_EQ(hex({"a", "bc"}), "920443a7666cfbf84a3c3a4d109063a2b2fbaf4d5584200b58a5407465971822");
  EXPECT_EQ(hex({}), "c846202226fb2fe5ed3c6ea5fdc1cf06c37b20ccef104109f0e7570753f0c679");
}

TEST(PointsOf, AreThoseOfEachTextAlone) {
  Texts texts;
  for (int i = 0; i < 200; ++i) texts.push_back(fmt::format("name {}", i));
  const std::vector<Point> points = points_of("names", texts, 2);
  ASSERT_EQ(points.size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(points[i], point_of("names", {&texts[i], 1}));
  EXPECT_EQ(std::set(points.begin(), points.end()).size(), texts.size());
}

// The same transcript: a scalar multiplication, encoded.
TEST(Blinding, RaisesPointsToItsExponent) {
  const Texts texts = {"ab", "c"};
  EXPECT_EQ(to_hex(blinded(known_blinding(), point_of("test", texts))),
            "6479fdaea46805e65900ec125e6a822546b18337065ced39875d73eb7e1a4061");
}

TEST(Blinding, CommutesWithOthersAndIsDrawnAnew) {
  const Blinding ours = Blinding::fresh();
  const Blinding theirs = Blinding::fresh();
  const Point point = point_of("test", {});
  EXPECT_EQ(blinded(theirs, blinded(ours, point)), blinded(ours, blinded(theirs, point)));
  EXPECT_NE(blinded(ours, point), blinded(theirs, point));
  EXPECT_NE(blinded(ours, point), point);
}

TEST(Blinding, DoesTheSameOnAnyNumberOfThreads) {
  std::vector<Point> points = points_of("test", Texts{"a", "b", "c", "d", "e"}, 1);
  for (int doubled = 0; doubled < 5; ++doubled) points.insert(points.end(), points.begin(), points.end());
  std::vector<Point> alone = points;
  const Blinding blinding = Blinding::fresh();
  blinding.blind(points, 3);
  blinding.blind(alone, 1);
  EXPECT_EQ(points, alone);
}

// Not canonical, not on the curve, negative; and the identity, whose power says nothing about the exponent.
TEST(Blinding, RefusesWhatIsNoPoint) {
  const Blinding blinding = Blinding::fresh();
  for (const char* hex : {"00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                          "0100000000000000000000000000000000000000000000000000000000000000",
                          "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
                          "0000000000000000000000000000000000000000000000000000000000000000"}) {
    std::vector<Point> points = {point_of("test", {}), point_from(hex)};
    expect_error(ErrorCategory::BadData, {"not a valid point"}, [&] { blinding.blind(points, 1); });
  }
}

TEST(Blinding, RefusesExponentsOfNoUse) {
  expect_error(ErrorCategory::InvalidArgument, {"16 bytes", "needs 32"}, [] { Blinding::of(Secret(16)); });
  const char* order = "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010";
  for (const char* hex : {"0000000000000000000000000000000000000000000000000000000000000000", order}) {
    expect_error(ErrorCategory::InvalidArgument, {"below the order of the group"},
                 [&] { Blinding::of(secret_of(from_hex(hex))); });
  }
}

}  // namespace
}  // namespace choir
