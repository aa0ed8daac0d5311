#include "choir/metrics/finite_mean.h"

#include <vector>

#include <gtest/gtest.h>

namespace choir {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

TEST(FiniteMean, LeavesOutWhatIsNotKnown) {
  EXPECT_DOUBLE_EQ(finite_mean(std::vector<double>{1, unknown, 4}), 2.5);
}

TEST(FiniteMean, IsNotKnownIfNothingIs) {
  EXPECT_TRUE(std::isnan(finite_mean(std::vector<double>{unknown})));
  EXPECT_TRUE(std::isnan(finite_mean(std::vector<double>{})));
}

}  // namespace
}  // namespace choir
