#include "crypto/fixed_randomness.h"

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include <sodium.h>

namespace choir::testing {
namespace {

std::uint64_t state = 0;

// splitmix64
std::uint64_t next_word() {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t word = state;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
  word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
  return word ^ (word >> 31);
}

const char* name() { return "fixed"; }
std::uint32_t next_number() { return static_cast<std::uint32_t>(next_word()); }
void fill(void* buffer, std::size_t size) {
  auto* bytes = static_cast<unsigned char*>(buffer);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(next_word());
}

randombytes_implementation fixed = {.implementation_name = name,
                                    .random = next_number,
                                    .stir = nullptr,
                                    .uniform = nullptr,
                                    .buf = fill,
                                    .close = nullptr};

}  // namespace

FixedRandomness::FixedRandomness() {
  if (sodium_init() < 0) throw std::runtime_error("libsodium does not start");  // it draws, the first time
  state = 0;
  randombytes_set_implementation(&fixed);
}

FixedRandomness::~FixedRandomness() { randombytes_set_implementation(&randombytes_sysrandom_implementation); }

}  // namespace choir::testing
