#include "choir/crypto/discrete_gaussian.h"

#include <optional>

#include "choir/base/error.h"

namespace choir {
namespace {

// True with probability exp(-numerator / denominator), for a ratio of at most 1: the alternating series of
// exp, term by term (algorithm 1).
bool happens_below_one(RandomBits& bits, WideUnsigned numerator, WideUnsigned denominator) {
  WideUnsigned terms = 1;
  while (bits.below(denominator * terms) < numerator) ++terms;
  return terms % 2 == 1;
}

bool happens(RandomBits& bits, WideUnsigned numerator, WideUnsigned denominator) {
  for (WideUnsigned whole = numerator / denominator; whole > 0; --whole) {
    if (!happens_below_one(bits, 1, 1)) return false;
  }
  return happens_below_one(bits, numerator % denominator, denominator);
}

struct SignedLength {
  std::uint64_t length = 0;
  bool negative = false;
};

// x with probability proportional to exp(-|x| / scale) (algorithm 2). Nothing: beyond 2^63, which for scales
// up to 2^57 has a probability below 1e-27, and would be rejected by draw() but in one case of 1e850.
std::optional<SignedLength> discrete_laplace(RandomBits& bits, std::uint64_t scale) {
  while (true) {
    const auto rest = static_cast<std::uint64_t>(bits.below(scale));
    if (!happens_below_one(bits, rest, scale)) continue;
    std::uint64_t wholes = 0;
    while (happens_below_one(bits, 1, 1)) ++wholes;
    const bool negative = bits.below(2) == 1;
    if (negative && wholes == 0 && rest == 0) continue;  // zero has one sign
    const WideUnsigned length = static_cast<WideUnsigned>(wholes) * scale + rest;
    if (length >> 63 != 0) return std::nullopt;
    return SignedLength{static_cast<std::uint64_t>(length), negative};
  }
}

}  // namespace

DiscreteGaussian::DiscreteGaussian(std::uint64_t sigma) : sigma_(sigma) {
  if (sigma >= 1 && sigma <= max_sigma) return;
  fail(ErrorCategory::InvalidArgument,
       "noise of {} steps of the grid cannot be drawn; it must be at least 1 and at most 2^57", sigma);
}

// Algorithm 3 with t = sigma: accepts y with probability exp(-(|y| - sigma)^2 / (2 sigma^2)).
std::int64_t DiscreteGaussian::draw(RandomBits& bits) const {
  while (true) {
    const std::optional<SignedLength> y = discrete_laplace(bits, sigma_);
    if (!y) continue;
    const WideUnsigned off = y->length > sigma_ ? y->length - sigma_ : sigma_ - y->length;
    const WideUnsigned variance = static_cast<WideUnsigned>(sigma_) * sigma_;
    if (!happens(bits, off * off, 2 * variance)) continue;
    const auto length = static_cast<std::int64_t>(y->length);
    return y->negative ? -length : length;
  }
}

}  // namespace choir
