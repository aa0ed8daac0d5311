// Random numbers that nobody can draw again: from the system, for noise that protects. Never from a seed.
//
//   RandomBits bits;
//   const std::uint64_t die = static_cast<std::uint64_t>(bits.below(6)) + 1;
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace choir {

__extension__ using WideUnsigned = unsigned __int128;

// One per thread.
class RandomBits {
 public:
  RandomBits() = default;
  ~RandomBits();
  RandomBits(const RandomBits&) = delete;
  RandomBits& operator=(const RandomBits&) = delete;

  std::uint64_t word();
  WideUnsigned below(WideUnsigned bound);  // 0 .. bound-1, exactly uniform; bound > 0

 private:
  std::array<std::uint64_t, 512> words_ = {};  // wiped in the end
  std::size_t used_ = 512;
};

}  // namespace choir
