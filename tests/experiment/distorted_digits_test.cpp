#include "choir/experiment/distorted_digits.h"

#include <numbers>

#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir {
namespace {

// 5 x 5, one bright pixel.
Vector dot(Index row, Index column) {
  Vector image = Vector::Zero(25);
  image(row * 5 + column) = 100;
  return image;
}

TEST(Distort, DoesNothingWithoutADistortion) { EXPECT_EQ(distort(dot(1, 3), {}), dot(1, 3)); }

TEST(Distort, ShiftsByWholePixels) {
  EXPECT_TRUE(distort(dot(1, 3), {.right = 1, .down = 2}).isApprox(dot(3, 4)));
  EXPECT_EQ(distort(dot(1, 3), {.right = 2}).sum(), 0) << "beyond the border";
}

TEST(Distort, SharesAPixelBetweenTwoOnHalfAStep) {
  const Vector half = distort(dot(2, 2), {.right = 0.5});
  EXPECT_DOUBLE_EQ(half(2 * 5 + 2), 50);
  EXPECT_DOUBLE_EQ(half(2 * 5 + 3), 50);
}

TEST(Distort, TurnsClockwiseAboutTheMiddle) {
  const Vector turned = distort(dot(0, 2), {.turn = std::numbers::pi / 2});  // from twelve to three o'clock
  EXPECT_TRUE(turned.isApprox(dot(2, 4), 1e-12)) << turned.transpose();
}

TEST(Distort, RefusesWhatIsNoSquare) { EXPECT_THROW(distort(Vector::Zero(10), {}), Error); }

TEST(DistortedDigits, AShardIsAFunctionOfSeedAndNode) {
  Samples images(25, 2);
  images << dot(2, 2), dot(1, 1);
  const DistortedDigits source(images);
  EXPECT_EQ(source.shard(3, 20, 1), source.shard(3, 20, 1));
  EXPECT_NE(source.shard(3, 20, 1), source.shard(4, 20, 1));
  EXPECT_NE(source.shard(3, 20, 1), source.shard(3, 20, 2));
  EXPECT_EQ(source.shard(3, 20, 1).leftCols(5), source.shard(3, 5, 1));
}

TEST(DistortedDigits, PixelsStayWithinTheirRange) {
  Samples images(81, 1);
  images.setConstant(255);
  const Samples shard = DistortedDigits(images).shard(0, 200, 7);
  EXPECT_GE(shard.minCoeff(), 0);
  EXPECT_LE(shard.maxCoeff(), 255 + 1e-9);
  EXPECT_NEAR(shard.row(40).mean(), 255, 1e-9) << "the middle never leaves an image this large";
}

}  // namespace
}  // namespace choir
