#include "choir/cli/dashboard.h"

#include <chrono>
#include <cstdio>
#include <regex>
#include <sstream>
#include <thread>
#include <vector>

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
  EXPECT_EQ(dashboard_lines(state, 80),
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
  const std::string lines = dashboard_lines({}, 80);
  EXPECT_NE(lines.find("getting ready"), std::string::npos);
  EXPECT_NE(lines.find("no node has sent anything yet"), std::string::npos);
}

TEST(Dashboard, NodesWithoutRoundsHaveNoSlowestEither) {
  DashboardState state;
  state.messages = 3;
  const std::string lines = dashboard_lines(state, 80);
  EXPECT_NE(lines.find("at work"), std::string::npos);
  EXPECT_NE(lines.find("no node waits for rounds"), std::string::npos);
}

TEST(Dashboard, LinesAreNoLongerThanTheTerminalIsWide) {
  DashboardState state;
  state.stage = std::string(100, 'x');
  const std::string lines = dashboard_lines(state, 40);
  std::istringstream each(lines);
  int count = 0;
  for (std::string line; std::getline(each, line); ++count) EXPECT_LE(line.size(), 40u);
  EXPECT_EQ(count, 4);
}

// What a terminal shows after these bytes, of which it knows newlines, "up n lines" and "erase what is
// below".
std::vector<std::string> screen_after(const std::string& bytes) {
  std::vector<std::string> lines = {""};
  const std::regex token("\033\\[([0-9]+)A\r\033\\[J|\n|[^\033\n]+");
  for (std::sregex_iterator it(bytes.begin(), bytes.end(), token), end; it != end; ++it) {
    if ((*it)[1].matched) {
      lines.resize(lines.size() - std::stoul((*it)[1].str()));
      lines.back().clear();
    } else if (it->str() == "\n") {
      lines.emplace_back();
    } else {
      lines.back() += it->str();
    }
  }
  return lines;
}

TEST(Dashboard, MakesRoomForWhatOthersWrite) {
  ::testing::internal::CaptureStderr();
  {
    Dashboard dashboard(Dashboard::Place::terminal);
    for (const char* note : {"one\n", "two\n"}) {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));  // it has drawn
      dashboard.aside([&] { std::fputs(note, stderr); });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  const std::string shown = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(shown.find("getting ready"), std::string::npos);
  EXPECT_EQ(screen_after(shown), (std::vector<std::string>{"one", "two", ""}));
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
