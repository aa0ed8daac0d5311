// A secret in shares (Shamir 1979): as many as the threshold give it back, fewer say nothing about it. No
// network in here.
//
//   const std::vector<Secret> shares = shares_of(seed, {.holders = 29, .threshold = 19});   // one per holder
//   const Secret again = secret_from({{0, shares[0]}, {4, shares[4]}, ...});                // any 19
//
// Every byte is the value at 0 of a polynomial over GF(2^8) (AES's: x^8 + x^4 + x^3 + x + 1) whose other
// coefficients come from the system's randomness; holder h has its value at h + 1. What is secret decides
// neither a branch nor an address.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "choir/base/types.h"
#include "choir/crypto/secret.h"

namespace choir {

struct Sharing {
  Index holders = 0;    // 1 to 255
  Index threshold = 0;  // 1 to holders
};
// By holder. Throws Error(InvalidArgument) for numbers out of range.
std::vector<Secret> shares_of(const Secret& secret, const Sharing& sharing);

// From as many shares as the threshold, or more; from fewer it is something else. Throws
// Error(InvalidArgument) for no share, a holder twice or shares of different lengths.
Secret secret_from(std::span<const std::pair<Index, Secret>> shares);

// Of GF(2^8).
std::uint8_t field_product(std::uint8_t a, std::uint8_t b);
std::uint8_t field_inverse(std::uint8_t a);  // of 0: 0

}  // namespace choir
