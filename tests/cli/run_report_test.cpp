#include "choir/cli/run_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir::cli {
namespace {

using testing::HasSubstr;

RunReport report_of_line() {
  RunReport report;
  const Graph graph = Graph::from_edges(3, std::vector<Edge>{{0, 1}, {1, 2}});
  report.ledger = Ledger(graph, {Kind::statistics, Kind::control});
  report.ledger.count(0, 0, Kind::statistics, 40);
  report.ledger.count(1, 1, Kind::statistics, 60);
  report.elapsed = std::chrono::milliseconds(250);
  return report;
}

TEST(RunReport, GivesTheLedgerByDeclaredKind) {
  RunResult result;
  describe_run(report_of_line(), "local", result);
  const auto json = to_json(result);
  EXPECT_EQ(json["ledger"]["messages"], 2);
  EXPECT_EQ(json["ledger"]["by_kind"]["statistics"]["bytes"], 100);
  EXPECT_EQ(json["ledger"]["by_kind"]["control"]["messages"], 0);
  EXPECT_EQ(json["ledger"]["by_kind"].size(), 2u);
  EXPECT_TRUE(json["lost_peers"].empty());
  EXPECT_TRUE(json["crashed"].empty());
  EXPECT_FALSE(json["time"].contains("virtual_s"));
  EXPECT_TRUE(result.notes.empty());
}

TEST(RunReport, SaysWhoWasLostAndWhoCrashed) {
  RunReport report = report_of_line();
  report.losses = {{.node = 1, .peer = 2, .round = 5, .reason = "missed its deadline"},
                   {.node = 0, .peer = 2, .round = 6, .reason = "has ended"}};
  report.crashed = {2};
  RunResult result;
  describe_run(report, "sim", result);
  const auto json = to_json(result);
  EXPECT_EQ(json["time"]["virtual_s"], 0.25);
  EXPECT_EQ(json["lost_peers"][0]["reason"], "missed its deadline");
  EXPECT_EQ(json["lost_peers"][1]["round"], 6);
  EXPECT_EQ(json["crashed"][0], 2);
  ASSERT_EQ(result.notes.size(), 2u);
  EXPECT_THAT(result.notes[0], HasSubstr("node 1 went on without node 2, which missed its deadline; 1 more"));
  EXPECT_THAT(result.notes[1], HasSubstr("node 2 crashed"));
}

TEST(RunReport, ACrashIsAnErrorUnlessTheRunMayGoOn) {
  RunReport report = report_of_line();
  EXPECT_NO_THROW(require_no_crash(report, LostPeers::fail));
  report.crashed = {1, 2};
  EXPECT_NO_THROW(require_no_crash(report, LostPeers::proceed));
  try {
    require_no_crash(report, LostPeers::fail);
    FAIL() << "two nodes crashed";
  } catch (const Error& error) {
    EXPECT_EQ(error.category(), ErrorCategory::PeerLost);
    EXPECT_THAT(error.what(), HasSubstr("nodes 1, 2 crashed"));
  }
}

}  // namespace
}  // namespace choir::cli
