#include "choir/crypto/random_bits.h"

#include <bit>

#include "choir/crypto/sodium.h"

namespace choir {
namespace {

int width_of(WideUnsigned value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  return static_cast<int>(high != 0 ? 64 + std::bit_width(high)
                                    : std::bit_width(static_cast<std::uint64_t>(value)));
}

}  // namespace

RandomBits::~RandomBits() { sodium_memzero(words_.data(), sizeof words_); }

std::uint64_t RandomBits::word() {
  if (used_ == words_.size()) {
    require_sodium();
    randombytes_buf(words_.data(), sizeof words_);
    used_ = 0;
  }
  return words_[used_++];
}

WideUnsigned RandomBits::below(WideUnsigned bound) {
  const int width = width_of(bound - 1);
  if (width == 0) return 0;
  while (true) {
    WideUnsigned value = word();
    if (width > 64) value = value << 64 | word();
    value >>= (width > 64 ? 128 : 64) - width;
    if (value < bound) return value;
  }
}

}  // namespace choir
