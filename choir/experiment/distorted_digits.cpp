#include "choir/experiment/distorted_digits.h"

#include <cmath>
#include <numbers>

#include "choir/base/error.h"
#include "choir/base/rng.h"

namespace choir {
namespace {

constexpr double most_pixels = 2;
constexpr double most_turn = 10 * std::numbers::pi / 180;

Index side_of(Index pixels) {
  const auto side = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(pixels))));
  if (side * side == pixels) return side;
  fail(ErrorCategory::InvalidArgument, "{} pixels do not make a square image; distortions need one", pixels);
}

// The image at a place between its pixels.
class Surface {
 public:
  Surface(const VectorView<double>& image, Index side) : image_(image), side_(side) {}

  double at(double x, double y) const {
    const double left = std::floor(x);
    const double top = std::floor(y);
    const auto column = static_cast<Index>(left);
    const auto row = static_cast<Index>(top);
    const double across = x - left;
    const double along = y - top;
    return (1 - along) * ((1 - across) * pixel(column, row) + across * pixel(column + 1, row)) +
           along * ((1 - across) * pixel(column, row + 1) + across * pixel(column + 1, row + 1));
  }

 private:
  double pixel(Index column, Index row) const {
    const bool inside = column >= 0 && column < side_ && row >= 0 && row < side_;
    return inside ? image_(row * side_ + column) : 0;
  }

  const VectorView<double>& image_;
  Index side_;
};

}  // namespace

Vector distort(const VectorView<double>& image, const Distortion& distortion) {
  const Index side = side_of(image.size());
  const Surface surface(image, side);
  const double middle = static_cast<double>(side - 1) / 2;
  const double cosine = std::cos(distortion.turn);
  const double sine = std::sin(distortion.turn);
  Vector distorted(image.size());
  for (Index row = 0; row < side; ++row) {
    for (Index column = 0; column < side; ++column) {
      // Where this pixel comes from: the distortion backwards.
      const double x = static_cast<double>(column) - middle - distortion.right;
      const double y = static_cast<double>(row) - middle - distortion.down;
      distorted(row * side + column) =
          surface.at(middle + cosine * x + sine * y, middle - sine * x + cosine * y);
    }
  }
  return distorted;
}

DistortedDigits::DistortedDigits(const Samples& images) : images_(images.cast<std::uint8_t>()) {
  side_of(images.rows());
}

Samples DistortedDigits::shard(NodeId node, Index count, std::uint64_t seed) const {
  Rng rng(seed, Purpose("distorted digits"), static_cast<std::uint64_t>(node));
  Samples samples(features(), count);
  for (Index n = 0; n < count; ++n) {
    const auto image = static_cast<Index>(rng.below(static_cast<std::uint64_t>(images_.cols())));
    const Distortion distortion{.right = rng.uniform(-most_pixels, most_pixels),
                                .down = rng.uniform(-most_pixels, most_pixels),
                                .turn = rng.uniform(-most_turn, most_turn)};
    const Vector pixels = images_.col(image).cast<double>();
    samples.col(n) = distort(pixels, distortion);
  }
  return samples;
}

}  // namespace choir
