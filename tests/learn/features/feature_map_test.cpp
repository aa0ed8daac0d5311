#include "choir/learn/features/feature_map.h"

#include "learn/central/toy.h"
#include <Eigen/QR>
#include <gtest/gtest.h>

namespace choir {
namespace {

using testing_toys::falling_scales;

TEST(SampleRegression, IsLeastSquaresOfManySamples) {
  const Samples samples = falling_scales(3, 40, 1);
  const Matrix scores = falling_scales(2, 40, 2).transpose();
  const SampleRegression found = regress_samples(samples, scores);
  Matrix system(40, 3);
  system << Vector::Ones(40), scores;
  const Matrix solved = Eigen::ColPivHouseholderQR<Matrix>(system).solve(samples.transpose());  // 3 x 3
  EXPECT_LE((found.mean - solved.row(0).transpose()).norm(), 1e-9);
  EXPECT_LE((found.slopes - solved.bottomRows(2).transpose()).norm(), 1e-9);
}

TEST(SampleRegression, OfFewSamplesThereIsNone) {
  const auto is_there = [](Index samples, Index scores) {
    const SampleRegression found =
        regress_samples(falling_scales(3, samples, 1), falling_scales(scores, samples, 2).transpose());
    EXPECT_EQ(found.mean.size(), 3);
    EXPECT_EQ(found.slopes.cols(), scores);
    EXPECT_EQ(found.mean.isZero(0), found.slopes.isZero(0));
    return !found.mean.isZero(0);
  };
  EXPECT_FALSE(is_there(1, 1));
  EXPECT_FALSE(is_there(9, 1));
  EXPECT_TRUE(is_there(10, 1));
  EXPECT_FALSE(is_there(23, 5));
  EXPECT_TRUE(is_there(24, 5));
}

}  // namespace
}  // namespace choir
