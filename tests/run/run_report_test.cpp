#include "choir/run/run_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "choir/base/error.h"
#include "choir/run/result_json.h"

namespace choir {
namespace {

using ::testing::HasSubstr;

Graph line() { return Graph::from_edges(3, std::vector<Edge>{{0, 1}, {1, 2}}); }

RunReport report_of_line() {
  RunReport report;
  report.ledger = Ledger(line(), {Kind::own_statistics, Kind::control});
  report.ledger.count(0, 0, Kind::own_statistics, 40);
  report.ledger.count(1, 1, Kind::own_statistics, 60);
  report.elapsed = std::chrono::milliseconds(250);
  return report;
}

TEST(RunReport, GivesTheLedgerByDeclaredKind) {
  Result result;
  describe_report(report_of_line(), line(), "local", result);
  const auto json = to_json(result);
  EXPECT_EQ(json["ledger"]["messages"], 2);
  EXPECT_EQ(json["ledger"]["by_kind"]["own_statistics"]["bytes"], 100);
  EXPECT_EQ(json["ledger"]["by_kind"]["control"]["messages"], 0);
  EXPECT_EQ(json["ledger"]["by_kind"].size(), 2u);
  EXPECT_EQ(json["sent_by_kind"], nlohmann::ordered_json::parse(R"({"own_statistics": [40, 60, 0]})"))
      << "what was sent";
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
  Result result;
  describe_report(report, line(), "sim", result);
  const auto json = to_json(result);
  EXPECT_EQ(json["time"]["virtual_s"], 0.25);
  EXPECT_EQ(json["lost_peers"][0]["reason"], "missed its deadline");
  EXPECT_EQ(json["lost_peers"][1]["round"], 6);
  EXPECT_EQ(json["crashed"][0], 2);
  ASSERT_EQ(result.notes.size(), 2u);
  EXPECT_THAT(result.notes[0], HasSubstr("node 1 went on without node 2, which missed its deadline; 1 more"));
  EXPECT_THAT(result.notes[1], HasSubstr("node 2 crashed"));
}

TEST(RunReport, SaysWhenFaultsHappenedInTheOrderOfTime) {
  using namespace std::chrono_literals;
  RunReport report = report_of_line();
  report.losses = {{.node = 1, .peer = 2, .round = 5, .reason = "missed its deadline", .at = Time(180ms)},
                   {.node = 0, .peer = 2, .round = 6, .reason = "missed its deadline", .at = Time(170ms)},
                   {.node = 2, .peer = 1, .round = 7, .reason = "has dropped the link", .at = Time(190ms)}};
  report.node_events = {
      {.what = NodeEvent::What::cut_off, .node = 0, .at = Time(20ms), .until = Time(40ms)},
      {.what = NodeEvent::What::joined, .node = 1, .at = Time(30ms), .until = Time(30ms)},
      {.what = NodeEvent::What::crashed, .node = 2, .at = Time(100ms), .until = Time(100ms), .round = 5},
      {.what = NodeEvent::What::cut_off, .node = 1, .at = Time(200ms), .until = Time(250ms)}};
  Result result;
  describe_report(report, line(), "sim", result);
  const auto expected = nlohmann::ordered_json::parse(R"([
    {"at": 0.02, "unit": "s", "node": 0, "what": "cut off",
     "words": "Node 0 was cut off by a partition of the network until 0.04 s.", "until": 0.04},
    {"at": 0.03, "unit": "s", "node": 1, "what": "joined late", "words": "Node 1 joined late."},
    {"at": 0.1, "unit": "s", "node": 2, "what": "crashed", "words": "Node 2 crashed in round 5 and left no model."},
    {"at": 0.17, "unit": "s", "node": 2, "what": "given up",
     "words": "Nodes 1, 0 went on without node 2, which missed its deadline (rounds 5 to 6)."},
    {"at": 0.19, "unit": "s", "node": 1, "what": "given up",
     "words": "Node 2 went on without node 1, which has dropped the link (round 7)."},
    {"at": 0.2, "unit": "s", "node": 1, "what": "cut off",
     "words": "Node 1 was cut off by a partition of the network until the end.", "until": 0.25}])");
  EXPECT_EQ(to_json(result).at("faults"), expected);
}

TEST(RunReport, NamesSomeOfTheManyThatGaveANodeUp) {
  RunReport report = report_of_line();
  for (NodeId node = 10; node < 310; ++node) {
    report.losses.push_back({.node = node, .peer = 2, .round = 1, .reason = "missed its deadline"});
  }
  Result result;
  describe_report(report, line(), "local", result);
  ASSERT_EQ(to_json(result).at("faults").size(), 1u);
  EXPECT_EQ(to_json(result).at("faults")[0].at("words"),
            "Nodes 10, 11, 12, 13 and 296 more went on without node 2, which missed its deadline (round 1).");
}

TEST(RunReport, CountsMessagesWhereTheEngineKnowsWhatBecameOfThem) {
  RunReport report = report_of_line();
  Result unknown;
  describe_report(report, line(), "mpi", unknown);
  EXPECT_TRUE(to_json(unknown).at("faults").empty());
  EXPECT_FALSE(to_json(unknown).contains("message_faults"));
  report.message_faults.resize(3);
  Result none;
  describe_report(report, line(), "sim", none);
  EXPECT_EQ(to_json(none).at("message_faults"), nlohmann::ordered_json::object());
  report.message_faults[1] = {.lost = 3, .sent_again = 0, .repeated = 4, .discarded = 0};
  Result some;
  describe_report(report, line(), "sim", some);
  EXPECT_EQ(to_json(some).at("message_faults"),
            nlohmann::ordered_json::parse(R"({"lost": [0, 3, 0], "repeated": [0, 4, 0]})"));
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
}  // namespace choir
