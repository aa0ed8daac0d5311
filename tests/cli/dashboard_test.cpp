#include "choir/cli/dashboard.h"

#include <gtest/gtest.h>

namespace choir::cli {
namespace {

TEST(Dashboard, SaysWhatGoesOnAndWhoIsSlow) {
  const DashboardState state{.stage = "iterations",
                             .done = 30,
                             .total = 100,
                             .measure = 0.0125,
                             .bytes = 3 << 20,
                             .messages = 480,
                             .slowest = 7,
                             .slowest_round = 28,
                             .latest_round = 31,
                             .memory = 120u << 20,
                             .seconds = 12.34};
  EXPECT_EQ(dashboard_lines(state),
            "now      iterations 30 of 100, 1.25e-02\n"
            "slowest  node 7 in round 28, others up to 31\n"
            "sent     3.0 MiB in 480 messages\n"
            "cost     120 MiB, 12.3 s\n");
  EXPECT_EQ(
      dashboard_line(state),
      "iterations 30 of 100, 1.25e-02; slowest: node 7 in round 28, others up to 31; sent 3.0 MiB in 480 "
      "messages; 120 MiB, 12.3 s");
}

TEST(Dashboard, SaysSoBeforeAnythingHappened) {
  const std::string lines = dashboard_lines({});
  EXPECT_NE(lines.find("getting ready"), std::string::npos);
  EXPECT_NE(lines.find("nobody has sent anything yet"), std::string::npos);
}

TEST(Dashboard, NodesThatAreAllInOneRoundHaveNoSlowest) {
  DashboardState state;
  state.slowest = 0;
  state.slowest_round = 4;
  state.latest_round = 4;
  EXPECT_NE(dashboard_line(state).find("none; all in round 4"), std::string::npos);
}

}  // namespace
}  // namespace choir::cli
