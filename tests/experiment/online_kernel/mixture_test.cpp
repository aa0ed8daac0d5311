#include "choir/experiment/online_kernel/mixture.h"

#include <cmath>

#include <gtest/gtest.h>

namespace choir {
namespace {

constexpr Purpose purpose("test");

TEST(GaussianMixture, DrawsEveryClassEquallyOftenAboutItsMeans) {
  const GaussianMixture mixture(3);
  const TargetedSamples drawn = mixture.draw(20000, 1, purpose);
  Vector counts = Vector::Zero(GaussianMixture::class_count);
  for (const double label : drawn.targets) ++counts(static_cast<Index>(label));
  EXPECT_EQ(counts.sum(), 20000);
  for (const double count : counts) EXPECT_NEAR(count, 4000, 5 * std::sqrt(3200.0));
}

// Classes are Gaussians of deviation .2: the nearest sample of a large reference is of the right class nearly
// as often as the best classifier is right, and never much more often.
TEST(GaussianMixture, TheBestClassifierIsAsGoodAsManyNeighboursAre) {
  const GaussianMixture mixture(0);
  const TargetedSamples reference = mixture.draw(20000, 1, purpose);
  const TargetedSamples test = mixture.draw(500, 2, purpose);
  constexpr double width = 0.08;
  Index right = 0;
  for (Index n = 0; n < 500; ++n) {
    const Eigen::RowVectorXd squares =
        (reference.samples.colwise() - test.samples.col(n)).colwise().squaredNorm();
    Vector votes = Vector::Zero(GaussianMixture::class_count);
    for (Index r = 0; r < squares.size(); ++r) {
      votes(static_cast<Index>(reference.targets(r))) += std::exp(-squares(r) / (2 * width * width));
    }
    Index voted = 0;
    votes.maxCoeff(&voted);
    right += static_cast<double>(voted) == test.targets(n) ? 1 : 0;
  }
  EXPECT_NEAR(mixture.bayes_accuracy(test), static_cast<double>(right) / 500, 0.02);
}

TEST(GaussianMixture, SeedsAndPurposesDecide) {
  const GaussianMixture mixture(0);
  EXPECT_EQ(mixture.draw(9, 1, purpose).samples, GaussianMixture(0).draw(9, 1, purpose).samples);
  EXPECT_NE(mixture.draw(9, 1, purpose).samples, mixture.draw(9, 2, purpose).samples);
  EXPECT_NE(mixture.draw(9, 1, purpose).samples, mixture.draw(9, 1, Purpose("other")).samples);
  EXPECT_NE(mixture.draw(9, 1, purpose).samples, GaussianMixture(1).draw(9, 1, purpose).samples);
}

}  // namespace
}  // namespace choir
