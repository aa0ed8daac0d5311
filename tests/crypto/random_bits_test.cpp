#include "choir/crypto/random_bits.h"

#include <array>
#include <set>

#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(RandomBits, AreDrawnAnew) {
  RandomBits a;
  RandomBits b;
  std::set<std::uint64_t> words;
  for (int i = 0; i < 1'000; ++i) words.insert({a.word(), b.word()});
  EXPECT_EQ(words.size(), 2'000u);
}

// Chi-squared with 4 degrees of freedom: beyond 45 once in 3e8.
TEST(RandomBits, BelowABoundAreEquallyLikely) {
  RandomBits bits;
  std::array<double, 5> counts = {};
  const double draws = 50'000;
  for (int i = 0; i < static_cast<int>(draws); ++i) counts.at(static_cast<std::size_t>(bits.below(5))) += 1;
  double chi_squared = 0;
  for (const double count : counts) chi_squared += (count - draws / 5) * (count - draws / 5) / (draws / 5);
  EXPECT_LT(chi_squared, 45);
}

// In [0, 3 2^99) both halves and the upper third are met; 200 draws miss one once in 1e35.
TEST(RandomBits, FillMoreThanAWord) {
  RandomBits bits;
  const WideUnsigned third = WideUnsigned{1} << 99;
  std::set<int> thirds;
  std::set<std::uint64_t> low;
  for (int i = 0; i < 200; ++i) {
    const WideUnsigned value = bits.below(3 * third);
    thirds.insert(static_cast<int>(value / third));
    low.insert(static_cast<std::uint64_t>(value));
  }
  EXPECT_EQ(thirds, (std::set<int>{0, 1, 2}));
  EXPECT_EQ(low.size(), 200u);
  EXPECT_TRUE(bits.below(1) == 0);
}

}  // namespace
}  // namespace choir
