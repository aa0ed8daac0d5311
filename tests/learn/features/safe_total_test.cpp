#include "choir/learn/features/safe_total.h"

#include <gtest/gtest.h>

namespace choir {
namespace {

TEST(SafeTotal, IsTheLargestThatBothRulesAllow) {
  for (const Index samples : {1, 3, 4, 17, 400, 2000}) {
    for (const Index inputs : {1, 2, 30, 784}) {
      Index most = 0;  // by trying
      for (Index m = 1; 4 * m <= samples; ++m) {
        if (4 * (m * (m + 1) / 2 + m) <= samples * inputs) most = m;
      }
      EXPECT_EQ(safe_total(samples, inputs, samples), most) << samples << " x " << inputs;
      EXPECT_EQ(safe_total(samples, inputs, 1), std::min<Index>(most, 1));
    }
  }
}

TEST(SafeTotal, SamplesOfFewInputsMayStandOutLess) {
  EXPECT_EQ(leverage_limit(2), 0.1);
  EXPECT_EQ(leverage_limit(4), 0.4);
  EXPECT_EQ(leverage_limit(784), 0.9);
}

// Ten samples along the first feature, and one that is nearly alone in the second.
TEST(SafeTotal, AFeatureInWhichASampleIsNearlyAloneIsNotSummed) {
  Matrix psi = Matrix::Zero(3, 11);
  psi.row(0).setOnes();
  psi(1, 4) = 1;
  psi(1, 5) = 0.1;
  const Vector squares = psi.rowwise().squaredNorm();
  EXPECT_EQ(features_without_lone_samples(psi, squares, 0.5), 1);
  EXPECT_EQ(features_without_lone_samples(psi, squares, 1.5), 2) << "nobody is in the third";
  EXPECT_EQ(features_without_lone_samples(psi.leftCols(3), squares, 0.5), 2) << "somebody else's sample";
  EXPECT_EQ(features_without_lone_samples(psi, squares, 0.05), 0);
  EXPECT_EQ(features_without_lone_samples(Matrix(2, 0), squares.head(2), 0.5), 2);
}

}  // namespace
}  // namespace choir
