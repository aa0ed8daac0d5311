#include "choir/linalg/moments.h"

#include <cmath>

#include "linalg/matrices.h"
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/base/rng.h"

namespace choir {
namespace {

Samples normal_samples(Index features, Index count, double offset) {
  Rng rng(5, Purpose("moments test"));
  Samples samples(features, count);
  for (Index i = 0; i < samples.size(); ++i) samples.data()[i] = rng.normal() + offset;
  return samples;
}

// In long double, straight from the definition.
long double variance_of_row(const Samples& samples, Index row) {
  long double mean = 0;
  for (Index n = 0; n < samples.cols(); ++n) mean += samples(row, n);
  mean /= samples.cols();
  long double squares = 0;
  for (Index n = 0; n < samples.cols(); ++n) squares += std::pow(samples(row, n) - mean, 2.0L);
  return squares / samples.cols();
}

TEST(Moments, OfFeaturesAreTheDefinitions) {
  const Samples samples = normal_samples(3, 200, 7);
  const Moments moments = feature_moments(samples);
  EXPECT_EQ(moments.count, 200);
  for (Index m = 0; m < 3; ++m) {
    EXPECT_NEAR(moments.mean(m), samples.row(m).mean(), 1e-14);
    EXPECT_NEAR(moments.variance()(m), static_cast<double>(variance_of_row(samples, m)), 1e-14);
  }
}

TEST(Moments, OfEntriesAreThoseOfOneLongRow) {
  const Samples samples = normal_samples(3, 200, 7);
  const Samples row = Eigen::Map<const Samples>(samples.data(), 1, samples.size());
  const Moments entries = entry_moments(samples);
  EXPECT_EQ(entries.count, 600);
  EXPECT_NEAR(entries.variance()(0), static_cast<double>(variance_of_row(row, 0)), 1e-14);
}

// A million away from zero a sum of squares would keep three digits of the variance.
TEST(Moments, AddUpToThoseOfTheUnionFarFromZero) {
  const Samples samples = normal_samples(4, 1000, 1e6);
  Moments sum = feature_moments(samples.leftCols(1));
  sum += feature_moments(samples.middleCols(1, 0));
  sum += feature_moments(samples.middleCols(1, 400));
  sum += feature_moments(samples.rightCols(599));
  EXPECT_EQ(sum.count, 1000);
  for (Index m = 0; m < 4; ++m) {
    const auto truth = static_cast<double>(variance_of_row(samples, m));
    EXPECT_NEAR(sum.variance()(m) / truth, 1, 1e-10);
  }
}

TEST(Moments, AddToNothing) {
  Moments none;
  none += feature_moments(normal_samples(2, 5, 0));
  EXPECT_EQ(none.count, 5);
  EXPECT_EQ(none.mean.size(), 2);
}

TEST(Moments, FollowADivision) {
  const Samples samples = normal_samples(2, 50, 3);
  const Moments divided = feature_moments(samples).divided_by(255);
  const Moments direct = feature_moments(samples / 255);
  EXPECT_LT((divided.mean - direct.mean).norm(), 1e-15);
  EXPECT_LT((divided.squares - direct.squares).norm(), 1e-15);
}

TEST(Moments, ARowOfOneValueIsConstantHoweverLong) {
  Samples samples = normal_samples(3, 100'000, 0);
  samples.row(1).setConstant(0.1);
  const auto found = constant(feature_moments(samples));
  EXPECT_FALSE(found(0));
  EXPECT_TRUE(found(1));
  samples.row(1).array() += 1e-9 * samples.row(0).array();  // little, but more than rounding
  EXPECT_FALSE(constant(feature_moments(samples))(1));
}

TEST(Moments, OfDifferentWidthsAreRefused) {
  Moments two = feature_moments(normal_samples(2, 5, 0));
  EXPECT_THROW(two += feature_moments(normal_samples(3, 5, 0)), Error);
}

}  // namespace
}  // namespace choir
