#include "choir/learn/features/centroids.h"

#include "learn/central/toy.h"
#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(Centroids, StandForAtLeastMinCountSamples) {
  // Ten samples in one place and two single ones far away: the single ones may not be told.
  Samples samples = testing_toys::falling_scales(3, 12, 1) * 0.01;
  samples.col(10).setConstant(50);
  samples.col(11).setConstant(-80);
  const Matrix free = counted_centroids(samples, {.count = 3, .min_count = 1}).points;
  EXPECT_EQ(free.cols(), 3);
  const Matrix guarded = counted_centroids(samples, {.count = 3, .min_count = 3}).points;
  for (Index c = 0; c < guarded.cols(); ++c) {
    for (const Index single : {10, 11}) EXPECT_GT((guarded.col(c) - samples.col(single)).norm(), 10);
  }
  EXPECT_EQ(counted_centroids(samples.leftCols(2), {.count = 3, .min_count = 3}).points.cols(), 0);
}

TEST(Centroids, AreWeightedMeansWhateverWasMerged) {
  const Samples samples = testing_toys::falling_scales(2, 40, 3);
  for (const Index min_count : {1, 5, 20, 40}) {
    const Matrix centroids =
        counted_centroids(samples, {.count = 8, .min_count = min_count, .seed = 5}).points;
    EXPECT_LE(centroids.cols(), 40 / min_count);
    EXPECT_GE(centroids.cols(), 1);
  }
  const Matrix one = counted_centroids(samples, {.count = 8, .min_count = 40, .seed = 5}).points;
  EXPECT_LE((one.col(0) - samples.rowwise().mean()).norm(), 1e-12);
}

TEST(Centroids, OfDuplicatesAreFewer) {
  const Samples same = Samples::Constant(3, 20, 2.5);
  EXPECT_EQ(counted_centroids(same, {.count = 5, .min_count = 3}).points.cols(), 1);
}

TEST(Centroids, OfSingleSamplesAreRawSamples) {
  EXPECT_EQ(kind_of_centroids(1), Kind::raw_samples);
  EXPECT_EQ(kind_of_centroids(2), Kind::centroids);
}

}  // namespace
}  // namespace choir
