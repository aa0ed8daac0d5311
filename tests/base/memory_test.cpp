#include "choir/base/memory.h"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace choir {
namespace {

TEST(Memory, ThereIsSomeAndNotMoreThanTheMachineHas) {
  EXPECT_GT(available_memory(), std::uint64_t{1} << 20);
  EXPECT_LT(available_memory(), std::uint64_t{1} << 50);
}

// From the system itself: an allocator may keep what it was given back, and a sanitizer's does.
TEST(Memory, WhatIsHeldGrowsAndShrinksWithWhatIsUsed) {
  constexpr std::size_t size = std::size_t{64} << 20;
  const std::uint64_t before = resident_memory();
  void* block = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(block, MAP_FAILED);
  std::memset(block, 1, size);
  EXPECT_GE(resident_memory(), before + size / 2);
  munmap(block, size);
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
