#include "choir/experiment/oneshot_kpca/data.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "paths.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/experiment/digits.h"
#include "choir/linalg/eigen.h"

namespace choir {
namespace {

using ::testing::ElementsAre;

Dataset quick_digits() { return read_digits({.quick = true, .data = datasets_folder()}, {}); }

// Pixel p of image n is n to the power of p, or 0 for the first: later pixels vary more, and an image is
// known by its second.
Dataset numbered_images() {
  Dataset images;
  images.samples.resize(4, 30);
  for (Index n = 0; n < 30; ++n) images.samples.col(n) << 0, double(n), double(n * n), double(n * n * n);
  return images;
}

TEST(OneshotData, ImagesAreDrawnOnceAndAnewForEachSeed) {
  const Dataset digits = numbered_images();
  const FeatureData images = digit_images(digits, 20, 1);
  ASSERT_EQ(images.features.rows(), 4);
  ASSERT_EQ(images.features.cols(), 20);
  std::set<long> drawn;
  for (const double value : images.features.row(1)) drawn.insert(std::lround(255 * value));
  EXPECT_EQ(drawn.size(), 20u);
  EXPECT_DOUBLE_EQ(images.kernel.gamma, 9.0 / 4);
  EXPECT_EQ(images.features, digit_images(digits, 20, 1).features);
  EXPECT_NE(images.features, digit_images(digits, 20, 2).features);
}

TEST(OneshotData, PixelsAreThoseThatVaryMostWithoutTheirMeans) {
  const FeatureData pixels = digit_pixels(numbered_images(), {.images = 30, .pool = 2, .samples = 2}, 1);
  ASSERT_EQ(pixels.features.rows(), 30);
  ASSERT_EQ(pixels.features.cols(), 2);
  EXPECT_LT(pixels.features.colwise().sum().norm(), 1e-12 * pixels.features.norm());
  std::vector<double> ranges;
  for (Index pixel = 0; pixel < 2; ++pixel) {
    ranges.push_back(255 * (pixels.features.col(pixel).maxCoeff() - pixels.features.col(pixel).minCoeff()));
  }
  std::sort(ranges.begin(), ranges.end());
  EXPECT_NEAR(ranges[0], 29 * 29, 1e-9);
  EXPECT_NEAR(ranges[1], 29 * 29 * 29, 1e-9);
  EXPECT_DOUBLE_EQ(pixels.kernel.gamma, 9.0 / 30);
}

TEST(OneshotData, RealPixelsAreBetweenNoughtAndOne) {
  const FeatureData images = digit_images(quick_digits(), 50, 0);
  EXPECT_EQ(images.features.maxCoeff(), 1);
  EXPECT_EQ(images.features.minCoeff(), 0);
}

TEST(OneshotData, SimulatedSamplesHaveTheSpectrumAndNoMean) {
  const FeatureData data = simulated_spectrum(120, 80, 3);
  EXPECT_LT(data.features.rowwise().mean().norm(), 1e-12);
  const Vector values = eigen_symmetric<double>(data.features.transpose() * data.features).values;
  ASSERT_EQ(values.size(), 80);
  for (Index d = 0; d < 80; ++d) {
    const double expected = d < 10 ? 5000 : d < 11 ? 2500 : d < 59 ? 50 : 0;
    EXPECT_NEAR(values(d), expected, 1e-9) << d;
  }
}

TEST(OneshotData, CutsLeaveNobodyEmpty) {
  EXPECT_THAT(even_cuts(10, 3), ElementsAre(0, 3, 6, 10));
  const std::vector<Index> cuts = uneven_cuts(30, 29, 1);
  ASSERT_EQ(cuts.size(), 30u);
  EXPECT_EQ(cuts.front(), 0);
  EXPECT_EQ(cuts.back(), 30);
  EXPECT_EQ(std::adjacent_find(cuts.begin(), cuts.end(), std::greater_equal<Index>()), cuts.end());
  EXPECT_NE(uneven_cuts(300, 10, 1), uneven_cuts(300, 10, 2));
  EXPECT_NE(uneven_cuts(300, 10, 1), even_cuts(300, 10));
}

TEST(OneshotData, DividedFeaturesAreAllFeaturesInOrder) {
  const Samples features = Vector::LinSpaced(7, 0, 6) * Eigen::RowVectorXd::Ones(2);
  const std::vector<Samples> shards = divide(features, {0, 1, 5, 7});
  ASSERT_EQ(shards.size(), 3u);
  EXPECT_EQ(shards[1], features.middleRows(1, 4));
  EXPECT_EQ(shards[2].rows(), 2);
}

}  // namespace
}  // namespace choir
