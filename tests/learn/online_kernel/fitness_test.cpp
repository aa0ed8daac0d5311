#include "choir/learn/online_kernel/fitness.h"

#include <cmath>

#include <gtest/gtest.h>

#include "choir/base/rng.h"

namespace choir::online_kernel {
namespace {

Samples scattered(Index count, double deviation, double shift, std::uint64_t seed) {
  Rng random(seed, Purpose("test-fitness"));
  return Samples::NullaryExpr(4, count, [&] { return shift + deviation * random.normal(); });
}

const Scene first_scene{.centre = Vector::Zero(4), .spread = 4};

FitSums fit_of(const Samples& samples, double length = 1) {
  FitSums sums;
  sums.add(first_scene, samples, Matrix::Constant(1, samples.cols(), std::sqrt(length)));
  return sums;
}

Index strange_after(const FitSums& usual, const std::vector<FitSums>& blocks) {
  Fitness fitness{.scene = first_scene};
  fitness.close_block(usual);
  for (const FitSums& block : blocks) fitness.close_block(block);
  return fitness.strange_blocks;
}

TEST(Fitness, SumsOverSamples) {
  Samples samples(4, 2);
  samples.col(0) << 2, 0, 0, 0;
  samples.col(1) << 0, 4, 0, 0;
  const FitSums sums = fit_of(samples, 0.5);
  EXPECT_EQ(sums.samples, 2);
  EXPECT_NEAR(sums.distances, std::log(1.0) + std::log(4.0), 1e-12);
  EXPECT_NEAR(sums.lengths, 1, 1e-12);
  EXPECT_EQ(sums.pairs, 1);
  EXPECT_NEAR(sums.steps, std::log(20.0 / 4), 1e-12);
  EXPECT_EQ(FitSums::of(sums.row()).row(), sums.row());
}

TEST(Fitness, AStreamThatStaysIsNotStrange) {
  EXPECT_EQ(strange_after(fit_of(scattered(50, 1, 0, 1)), {fit_of(scattered(50, 1.3, 0.3, 2))}), 0);
}

TEST(Fitness, AnotherScaleAnotherPlaceAndShortFeaturesAre) {
  const FitSums usual = fit_of(scattered(50, 1, 0, 1));
  for (const FitSums& other : {fit_of(scattered(50, 3, 0, 2)), fit_of(scattered(50, 0.3, 0, 2)),
                               fit_of(scattered(50, 1, 4, 2)), fit_of(scattered(50, 1, 0, 2), 0.4)}) {
    EXPECT_EQ(strange_after(usual, {other}), 1);
    EXPECT_EQ(strange_after(usual, {other, other}), 2);
    EXPECT_EQ(strange_after(usual, {other, usual, other}), 1) << "not one after the other";
  }
}

// As far from the centre as before, and close together.
TEST(Fitness, ACloudThatShrinksBesideTheCentreIsStrange) {
  const FitSums usual = fit_of(scattered(50, 1, 0, 1));
  EXPECT_EQ(strange_after(usual, {fit_of(scattered(50, 0.05, 1, 2))}), 1);
}

TEST(Fitness, OneOutlierIsOneSample) {
  Samples samples = scattered(50, 1, 0, 1);
  const FitSums usual = fit_of(samples);
  samples.col(7).setConstant(1e30);
  EXPECT_EQ(strange_after(usual, {fit_of(samples)}), 0);
}

TEST(Fitness, SamplesInOnePlaceHaveADistance) {
  const FitSums still = fit_of(Samples::Zero(4, 10));
  EXPECT_TRUE(std::isfinite(still.distances));
  EXPECT_EQ(strange_after(fit_of(scattered(50, 1, 0, 1)), {still}), 1);
}

}  // namespace
}  // namespace choir::online_kernel
