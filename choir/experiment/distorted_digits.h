// As many images as one likes: each is one of a few, shifted and turned a little.
//
//   const DistortedDigits source(read_digits(options, {}).samples);
//   const Samples shard = source.shard(node, 100, seed);       // M x 100, a pure function of its arguments
#pragma once

#include <cstdint>

#include "choir/linalg/types.h"

namespace choir {

struct Distortion {
  double right = 0;  // pixels
  double down = 0;
  double turn = 0;  // radians, clockwise as seen, about the middle
};

// A square image, its pixels row by row, bilinear between pixels, 0 outside. Throws Error(InvalidArgument) if
// the number of pixels is not a square.
Vector distort(const VectorView<double>& image, const Distortion& distortion);

class DistortedDigits {
 public:
  // Pixels are kept as whole numbers 0 .. 255: an eighth of the memory.
  explicit DistortedDigits(const Samples& images);

  Index features() const { return images_.rows(); }
  // Images drawn with replacement, shifted by up to 2 pixels and turned by up to 10 degrees each way.
  Samples shard(NodeId node, Index count, std::uint64_t seed) const;

 private:
  MatrixOf<std::uint8_t> images_;  // M x N
};

}  // namespace choir
