#include "choir/experiment/gossip_pca/until_converged.h"

#include <cmath>

#include <gtest/gtest.h>

namespace choir {
namespace {

std::vector<CurvePoint> curve(const std::vector<double>& errors) {
  std::vector<CurvePoint> points;
  for (const double error : errors) {
    points.push_back({static_cast<double>(points.size() + 1), {.error = error, .mean_error = 0}});
  }
  return points;
}

TEST(UntilConverged, IsTheFirstPointFromWhichOnItStaysBelow) {
  EXPECT_EQ(first_below(curve({9, 3, 2, 1}), 3), 2);
  EXPECT_EQ(first_below(curve({9, 3, 4, 1}), 3), 4);
  EXPECT_TRUE(std::isnan(first_below(curve({9, 3, 2, 4}), 3)));
  EXPECT_TRUE(std::isnan(first_below(curve({1, std::nan("")}), 3)));
}

TEST(UntilConverged, SettledIsWithinAHundredthOfTheEnd) {
  EXPECT_EQ(settled_after(curve({2, 1.02, 1.009, 1.005, 1})), 3);
}

TEST(UntilConverged, DensePointsAscendToTheEndInSmallSteps) {
  const std::vector<double> points = dense_points(500);
  EXPECT_EQ(points.front(), 1);
  EXPECT_EQ(points.back(), 500);
  for (std::size_t k = 1; k < points.size(); ++k) {
    EXPECT_GT(points[k], points[k - 1]);
    EXPECT_LE(points[k], std::max(points[k - 1] + 1, 1.03 * points[k - 1]));
  }
}

}  // namespace
}  // namespace choir
