#include "choir/base/memory.h"

#include <vector>

#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(Memory, ThereIsSomeAndNotMoreThanTheMachineHas) {
  EXPECT_GT(available_memory(), std::uint64_t{1} << 20);
  EXPECT_LT(available_memory(), std::uint64_t{1} << 50);
}

TEST(Memory, WhatIsHeldGrowsAndShrinksWithWhatIsUsed) {
  constexpr std::size_t size = std::size_t{64} << 20;
  const std::uint64_t before = resident_memory();
  {
    const std::vector<char> block(size, 1);
    EXPECT_GE(resident_memory(), before + block.size() / 2);
  }
  EXPECT_LT(resident_memory(), before + size / 2);
}

TEST(Memory, ThePeakGrowsWithWhatIsUsed) {
  const std::uint64_t before = peak_memory();
  // Far beyond what the process has held so far, and written to, or it would not be resident.
  const std::vector<char> block(before + (std::size_t{64} << 20), 1);
  EXPECT_GE(peak_memory(), before + block.size() / 2);
}

}  // namespace
}  // namespace choir
