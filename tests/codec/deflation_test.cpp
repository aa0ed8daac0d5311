#include "choir/codec/deflation.h"

#include <vector>

#include <gtest/gtest.h>

#include "choir/base/rng.h"
#include "choir/codec/archive.h"

namespace choir {
namespace {

constexpr std::size_t large = 300'000;

std::vector<std::byte> noise(std::size_t size) {
  Rng rng(5, Purpose("noise that does not shrink"));
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(rng.below(256));
  return bytes;
}

// Whole numbers below 256 as doubles: two bytes that vary, six that do not.
std::vector<std::byte> pixels(std::size_t count) {
  Rng rng(6, Purpose("pixels"));
  std::vector<double> values(count);
  for (double& value : values) value = static_cast<double>(rng.below(256));
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

TEST(Deflation, PaysForPixelsAndNotForNoise) {
  EXPECT_TRUE(is_worth_deflating(pixels(large / 8)));
  EXPECT_FALSE(is_worth_deflating(noise(large)));
  EXPECT_FALSE(is_worth_deflating({}));
  EXPECT_FALSE(is_worth_deflating(noise(3)));
}

TEST(Deflation, TheMiddleDecides) {
  std::vector<std::byte> bytes = noise(large);
  std::fill(bytes.begin() + large / 3, bytes.begin() + 2 * large / 3, std::byte{0});
  EXPECT_TRUE(is_worth_deflating(bytes));
}

TEST(Deflation, AnArchiveStoresWhatDoesNotShrink) {
  const std::vector<std::byte> random = noise(large);
  const std::vector<std::byte> images = pixels(large / 8);
  EXPECT_GT(encode_archive({{"random", random}}).size(), random.size());
  EXPECT_LT(encode_archive({{"images", images}}).size(), images.size() / 2);
  EXPECT_EQ(read_archive(encode_archive({{"random", random}}), "random").front().bytes, random);
  EXPECT_EQ(read_archive(encode_archive({{"images", images}}), "images").front().bytes, images);
}

}  // namespace
}  // namespace choir
