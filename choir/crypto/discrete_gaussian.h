// Noise on a grid of whole numbers, x with probability proportional to exp(-x^2 / (2 sigma^2)): drawn
// exactly, by rejection with whole numbers alone (Canonne, Kamath, Steinke, *The discrete Gaussian for
// differential privacy*, NeurIPS 2020, algorithms 1 to 3), from the system's randomness.
//
//   const DiscreteGaussian noise(sigma);               // in steps of the grid, as fixed-point words have it
//   RandomBits bits;
//   word += static_cast<std::uint64_t>(noise.draw(bits));
//
// No floating-point number is involved, so no low bits of one can tell what the noise was added to. How long
// a draw takes depends on what is drawn.
#pragma once

#include <cstdint>

#include "choir/crypto/random_bits.h"

namespace choir {

class DiscreteGaussian {
 public:
  static constexpr std::uint64_t max_sigma = std::uint64_t{1} << 57;

  // Throws Error(InvalidArgument) unless 1 <= sigma <= max_sigma.
  explicit DiscreteGaussian(std::uint64_t sigma);

  std::uint64_t sigma() const { return sigma_; }
  std::int64_t draw(RandomBits& bits) const;

 private:
  std::uint64_t sigma_;
};

}  // namespace choir
