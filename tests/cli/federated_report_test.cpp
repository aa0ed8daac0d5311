#include "choir/cli/federated_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/graph/regular.h"

namespace choir::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Devices 0 and 1, and the server.
FederatedKmeansFit fit_of_two() {
  FederatedKmeansFit fit;
  for (NodeId node = 0; node < 3; ++node) {
    FederatedKmeans result;
    result.node = node;
    result.model.counts = Vector{{2.9, 3.1}};  // as the server estimates them from those who answered
    result.inertia = 1.5;
    result.iterations = 7;
    result.converged = true;
    if (node < 2) result.labels = {0, 1, 1};
    fit.nodes.emplace_back(std::move(result));
  }
  fit.nodes[2]->rounds = {{.what = "gram", .answered = 2, .samples = 6},
                          {.what = "lloyd", .answered = 1, .silent = {0}, .samples = 3}};
  return fit;
}

std::vector<Json> entries(const std::vector<std::vector<std::int64_t>>& truth) {
  const Json nodes = numbers_of(fit_of_two(), {.first = 0, .labels = truth});
  return {nodes.begin(), nodes.end()};
}

RunResult summary_of(const std::vector<Json>& nodes) {
  RunResult result;
  result.nodes = 2;
  summarise_federated(nodes, {}, result);
  describe_truth(nodes, result);
  return result;
}

TEST(FederatedReport, ComparesWithTheLabelsOfAllDevices) {
  const RunResult result = summary_of(entries({{5, 9, 9}, {5, 9, 5}}));
  EXPECT_NEAR(result.quality_numbers.at("accuracy"), 5.0 / 6, 1e-12);
  EXPECT_THAT(federated_table(result), HasSubstr("accuracy 0.8333"));
  EXPECT_TRUE(summary_of(entries({{}, {}})).quality_numbers.empty());
}

TEST(FederatedReport, SaysWhoAnswered) {
  RunResult result = summary_of(entries({}));
  EXPECT_EQ(result.extra.at("sums"), 2);
  EXPECT_EQ(result.extra.at("most_silent"), 1);
  EXPECT_THAT(federated_table(result), HasSubstr("no server"));
  const Graph star = star_graph(3, 2);
  Ledger ledger(star, {Kind::statistics, Kind::centroids});
  ledger.count(0, 0, Kind::statistics, 2048);
  ledger.count(1, 0, Kind::statistics, 2048);
  ledger.count(2, 0, Kind::statistics, 5120);
  describe_traffic(ledger, 2, result);
  const std::string table = federated_table(result);
  EXPECT_THAT(table, HasSubstr("2 clusters of 2, 4 samples; inertia 1.5"));
  EXPECT_THAT(table, HasSubstr("2 sums, masked; up to 1 devices silent; converged after 7 iterations"));
  EXPECT_THAT(table, HasSubstr("sent by a device (mean): no raw samples, no centroids, statistics 2.0 KiB; "
                               "by the server 5.0 KiB"));
  EXPECT_THAT(table, Not(HasSubstr("refused")));
}

TEST(FederatedReport, CountsTheLabelsOfThoseWhoHaveThem) {
  FederatedKmeansFit fit = fit_of_two();
  fit.nodes[0].reset();  // crashed
  const Json nodes = numbers_of(fit, {.first = 0, .labels = {}});
  EXPECT_EQ(summary_of({nodes.begin(), nodes.end()}).extra.at("cluster_sizes"), Json::parse("[1, 2]"));
}

TEST(FederatedReport, SaysHowFarTheCentresMovedIfThatIsKnown) {
  FederatedKmeansFit fit = fit_of_two();
  EXPECT_FALSE(summary_of(entries({})).change);
  fit.nodes[2]->change = 0.25;
  const Json nodes = numbers_of(fit, {.first = 0, .labels = {}});
  EXPECT_EQ(summary_of({nodes.begin(), nodes.end()}).change, 0.25);
}

TEST(FederatedReport, SaysFromWhenToWhenADeviceWasSilent) {
  FederatedKmeansFit fit = fit_of_two();
  fit.nodes[2]->rounds.clear();
  const std::vector<std::vector<NodeId>> silent = {{}, {0, 1}, {1}, {}, {1}};
  for (const std::vector<NodeId>& devices : silent)
    fit.nodes[2]->rounds.push_back({.what = "lloyd", .silent = devices});
  RunResult result;
  result.extra["faults"] = Json::array({"an earlier one"});
  const Json nodes = numbers_of(fit, {.first = 0, .labels = {}});
  summarise_federated({nodes.begin(), nodes.end()}, {}, result);
  EXPECT_EQ(result.extra.at("faults"), Json::parse(R"(["an earlier one",
    {"at": 2, "unit": "round", "node": 0, "what": "silent",
     "words": "Device 0 was silent in sum 2, which was done without it."},
    {"at": 2, "unit": "round", "node": 1, "what": "silent",
     "words": "Device 1 was silent in sums 2 to 3, which were done without it.", "until": 3},
    {"at": 5, "unit": "round", "node": 1, "what": "silent",
     "words": "Device 1 was silent in sum 5, which was done without it."}])"));
}

TEST(FederatedReport, HasALineForEverySum) {
  const std::vector<Json> lines = round_lines(entries({}));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].at("round"), 2);
  EXPECT_EQ(lines[1].at("what"), "lloyd");
  EXPECT_EQ(lines[1].at("silent"), 1);
  EXPECT_FALSE(lines[1].contains("silent_devices"));
}

}  // namespace
}  // namespace choir::cli
