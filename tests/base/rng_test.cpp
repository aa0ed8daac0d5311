#include "choir/base/rng.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

Rng make(std::uint64_t seed = 42, const char* purpose = "test", std::uint64_t node = 3,
         std::uint64_t round = 5) {
  return Rng(seed, Purpose(purpose), node, round);
}

// Values of numpy's Philox with the same key and counter.
TEST(Rng, BitsAreThoseOfPhilox) {
  Rng rng = make();
  EXPECT_EQ(rng.bits(), 0x7b5a1484c59295beu);
  EXPECT_EQ(rng.bits(), 0xbe4749651cc7beaau);
  EXPECT_EQ(rng.bits(), 0xa12c771127743f42u);
  EXPECT_EQ(rng.bits(), 0x5d0dc9eb7c6ebe99u);
  EXPECT_EQ(rng.bits(), 0xa18cfba73eb92d43u);
}

// These bits are promised on every platform and compiler: an inequality here is a broken promise.
TEST(Rng, NormalsHaveTheSameBitsEverywhere) {
  Rng rng = make();
  EXPECT_EQ(rng.normal(), -0x1.74f6f33442f72p-5);
  EXPECT_EQ(rng.normal(), 0x1.4e9465a0581ffp-1);
  EXPECT_EQ(rng.normal(), 0x1.52b119638f40ap-2);
  EXPECT_EQ(rng.normal(), -0x1.658546065bd93p-2);
  EXPECT_EQ(normal_quantile(1e-20), -0x1.2865170b43a4bp+3);  // the tail, through the logarithm
}

TEST(Rng, QuantilesAgreeWithScipy) {
  const std::vector<std::pair<double, double>> known = {
      {1e-300, -0x1.286074064c26ep+5}, {1e-20, -0x1.2865170b43a4dp+3}, {0.01, -0x1.29c5c4630ff0ep+1},
      {0.3, -0x1.0c7e39582c5fcp-1},    {0.975, 0x1.f5c0331eeff84p+0},  {1 - 1e-12, 0x1.c2350895b2ea4p+2}};
  for (const auto& [p, x] : known) EXPECT_NEAR(normal_quantile(p), x, 4e-16 * std::abs(x) * 4) << p;
  EXPECT_EQ(normal_quantile(0.5), 0);
}

TEST(Rng, EachPartOfTheKeyMakesAnotherStream) {
  const std::uint64_t base = make().bits();
  EXPECT_EQ(make().bits(), base);
  EXPECT_NE(make(43).bits(), base);
  EXPECT_NE(make(42, "other").bits(), base);
  EXPECT_NE(make(42, "test", 4).bits(), base);
  EXPECT_NE(make(42, "test", 3, 6).bits(), base);
}

TEST(Rng, UniformIsUniform) {
  Rng rng = make();
  constexpr int draws = 200000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < draws; ++i) {
    const double u = rng.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    squares += u * u;
  }
  // Five standard errors.
  EXPECT_NEAR(sum / draws, 0.5, 5 * std::sqrt(1.0 / 12 / draws));
  EXPECT_NEAR(squares / draws, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / draws));
}

TEST(Rng, UniformStaysInItsRange) {
  Rng rng = make();
  for (int i = 0; i < 1000; ++i) {
    const double u = rng.uniform(-3, 7);
    ASSERT_GE(u, -3);
    ASSERT_LT(u, 7);
  }
}

TEST(Rng, NormalHasTheMomentsOfANormal) {
  Rng rng = make();
  constexpr int draws = 200000;
  double m1 = 0, m2 = 0, m4 = 0;
  for (int i = 0; i < draws; ++i) {
    const double z = rng.normal();
    m1 += z;
    m2 += z * z;
    m4 += z * z * z * z;
  }
  EXPECT_NEAR(m1 / draws, 0, 5 / std::sqrt(draws));
  EXPECT_NEAR(m2 / draws, 1, 5 * std::sqrt(2.0 / draws));
  EXPECT_NEAR(m4 / draws, 3, 5 * std::sqrt(96.0 / draws));
}

TEST(Rng, ChiIsTheLengthOfANormalVector) {
  Rng rng = make();
  constexpr int draws = 20000;
  constexpr Index degrees = 7;
  double squares = 0;
  for (int i = 0; i < draws; ++i) {
    const double length = rng.chi(degrees);
    squares += length * length;
  }
  EXPECT_NEAR(squares / draws, degrees, 5 * std::sqrt(2.0 * degrees / draws));
}

TEST(Rng, BelowCountsEvenly) {
  Rng rng = make();
  std::vector<int> counts(7, 0);
  constexpr int draws = 70000;
  for (int i = 0; i < draws; ++i) ++counts[rng.below(7)];
  for (const int count : counts) EXPECT_NEAR(count, draws / 7, 5 * std::sqrt(draws / 7.0));
  EXPECT_THROW(rng.below(0), Error);
}

TEST(Rng, APermutationIsOne) {
  std::vector<Index> order = make().permutation(100);
  std::vector<Index> expected(100);
  std::iota(expected.begin(), expected.end(), Index{0});
  EXPECT_NE(order, expected);
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, expected);
}

TEST(Rng, EveryPlaceOfAPermutationIsFair) {
  std::vector<int> first(5, 0);
  constexpr int draws = 50000;
  for (int i = 0; i < draws; ++i) {
    ++first[static_cast<std::size_t>(make(1, "fair", 0, static_cast<std::uint64_t>(i)).permutation(5)[2])];
  }
  for (const int count : first) EXPECT_NEAR(count, draws / 5, 5 * std::sqrt(draws / 5.0));
}

TEST(Rng, ChooseDrawsDistinctIndices) {
  std::vector<Index> chosen = make().choose(10, 15);
  EXPECT_EQ(chosen.size(), 10u);
  std::sort(chosen.begin(), chosen.end());
  EXPECT_TRUE(std::adjacent_find(chosen.begin(), chosen.end()) == chosen.end());
  EXPECT_GE(chosen.front(), 0);
  EXPECT_LT(chosen.back(), 15);
  EXPECT_THAT(make().choose(0, 5), ::testing::IsEmpty());
  EXPECT_THROW(make().choose(6, 5), Error);
  EXPECT_THROW(make().choose(-1, 5), Error);
}

}  // namespace
}  // namespace choir
