#include "choir/runtime/blocks/secure_sum/shamir.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "graph/expect_error.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

using testing::expect_error;
using Shares = std::vector<std::pair<Index, Secret>>;

Secret secret_of(std::string_view text) {
  Secret secret(text.size());
  std::ranges::transform(text, secret.bytes().begin(),
                         [](char letter) { return static_cast<std::byte>(letter); });
  return secret;
}

std::string text_of(const Secret& secret) {
  std::string text;
  for (const std::byte byte : secret.bytes()) text += static_cast<char>(byte);
  return text;
}

Shares chosen(const std::vector<Secret>& shares, const std::vector<Index>& holders) {
  Shares some;
  for (const Index holder : holders)
    some.emplace_back(holder, secret_of(text_of(shares[static_cast<std::size_t>(holder)])));
  return some;
}

// The definition: polynomials over two elements, multiplied and reduced by x^8 + x^4 + x^3 + x + 1.
TEST(Field, ProductsAreThoseOfPolynomials) {
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      unsigned product = 0;
      for (unsigned bit = 0; bit < 8; ++bit)
        if ((b >> bit) % 2 == 1) product ^= a << bit;
      for (unsigned power = 15; power >= 8; --power)
        if ((product >> power) % 2 == 1) product ^= 0x11bU << (power - 8);
      ASSERT_EQ(field_product(static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)), product);
    }
    if (a > 0) {
      EXPECT_EQ(field_product(static_cast<std::uint8_t>(a), field_inverse(static_cast<std::uint8_t>(a))), 1);
    }
  }
  EXPECT_EQ(field_product(0x57, 0x83), 0xc1);  // FIPS 197, 4.2
}

TEST(Shamir, AnyThresholdOfSharesGivesTheSecretBack) {
  const Secret secret = secret_of("thirty-two bytes that are secret");
  const std::vector<Secret> shares = shares_of(secret, {.holders = 7, .threshold = 4});
  ASSERT_EQ(shares.size(), 7u);
  std::array<Index, 7> order = {0, 1, 2, 3, 4, 5, 6};
  do {
    const std::vector<Index> four(order.begin(), order.begin() + 4);
    if (std::ranges::is_sorted(four)) {
      EXPECT_EQ(text_of(secret_from(chosen(shares, four))), text_of(secret));
    }
  } while (std::ranges::next_permutation(order).found);
  EXPECT_EQ(text_of(secret_from(chosen(shares, {6, 0, 3, 5, 1, 2}))), text_of(secret))
      << "more, in any order";
}

TEST(Shamir, EveryoneMayBeNeededAndAnyoneMaySuffice) {
  const Secret secret = secret_of("secret");
  const std::vector<Secret> all = shares_of(secret, {.holders = 255, .threshold = 255});
  std::vector<Index> holders(255);
  for (Index i = 0; i < 255; ++i) holders[static_cast<std::size_t>(i)] = i;
  EXPECT_EQ(text_of(secret_from(chosen(all, holders))), "secret");
  const std::vector<Secret> copies = shares_of(secret, {.holders = 3, .threshold = 1});
  for (Index i = 0; i < 3; ++i) EXPECT_EQ(text_of(secret_from(chosen(copies, {i}))), "secret");
}

// With one share fewer every secret is as likely: over many sharings of the same byte, two of three shares
// give each value as often. 255 degrees of freedom, so 255 +- 22.6 for chance; the bound is exceeded once in
// millions.
TEST(Shamir, FewerSharesSayNothing) {
  constexpr int draws = 25'600;
  std::array<double, 256> counts = {};
  const Secret secret = secret_of("x");
  for (int i = 0; i < draws; ++i) {
    const std::vector<Secret> shares = shares_of(secret, {.holders = 3, .threshold = 3});
    ++counts[std::to_integer<std::size_t>(secret_from(chosen(shares, {0, 2})).bytes()[0])];
  }
  double chi_square = 0;
  for (const double count : counts)
    chi_square += (count - draws / 256.0) * (count - draws / 256.0) / (draws / 256.0);
  EXPECT_NEAR(chi_square, 255, 5.5 * 22.6);
}

TEST(Shamir, RefusesWhatCannotBe) {
  const Secret secret = secret_of("secret");
  for (const Sharing& sharing : {Sharing{0, 0}, Sharing{3, 0}, Sharing{3, 4}, Sharing{256, 2}})
    expect_error(ErrorCategory::InvalidArgument, {"cannot be shared"}, [&] { shares_of(secret, sharing); });
  const std::vector<Secret> shares = shares_of(secret, {.holders = 3, .threshold = 2});
  expect_error(ErrorCategory::InvalidArgument, {"holder 1"}, [&] { secret_from(chosen(shares, {1, 1})); });
  expect_error(ErrorCategory::InvalidArgument, {"at least one"}, [&] { secret_from({}); });
  Shares odd = chosen(shares, {0, 1});
  odd.back().second = secret_of("short");
  expect_error(ErrorCategory::InvalidArgument, {"5 bytes"}, [&] { secret_from(odd); });
}

}  // namespace
}  // namespace choir
