// Names that their owners compare without telling them: points of the group ristretto255, blinded by secret
// exponents.
//
//   std::vector<Point> points = points_of("key of a sample", names, threads);  // everybody can compute these
//   const Blinding mine = Blinding::fresh();
//   mine.blind(points, threads);                                               // now nobody else can
//
// Blindings commute: what A and then B blinded equals what B and then A blinded, so equal names stay equal
// and nothing else shows. Whoever lacks one of the exponents cannot try names against the result, nor tell
// which point before a blinding became which after it (the decisional Diffie-Hellman assumption).
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "choir/crypto/secret.h"

namespace choir {

using Point = std::array<std::byte, 32>;  // as it travels: the encoding of ristretto255 is unique

// The point that stands for a sequence of texts: BLAKE2b-512 of the purpose and then each text, each with its
// length in front, mapped to the group. Nobody knows the ratio of two of them.
Point point_of(std::string_view purpose, std::span<const std::string> texts);
// One for each text.
std::vector<Point> points_of(std::string_view purpose, std::span<const std::string> texts, int threads);

class Blinding {
 public:
  static Blinding fresh();  // from the system's randomness
  // 32 bytes, little-endian, below the order of the group and not zero. Throws Error(InvalidArgument).
  static Blinding of(Secret exponent);

  // Raises each point to the exponent, in place. Throws Error(BadData) if one of them is not a point of the
  // group, or is its identity, which every exponent would leave as it is.
  void blind(std::span<Point> points, int threads) const;

 private:
  explicit Blinding(Secret exponent) : exponent_(std::move(exponent)) {}
  Secret exponent_;
};

}  // namespace choir
