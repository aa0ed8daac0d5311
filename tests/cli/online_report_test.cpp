#include "choir/cli/online_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

OnlineKernelFit fit_of_two() {
  OnlineKernelFit fit;
  for (NodeId node = 0; node < 2; ++node) {
    OnlineKernel result;
    result.node = node;
    result.state.samples = 1000;
    result.state.round = 32;
    result.state.eta = 3;
    result.state.f.atoms = Samples::Zero(2, 10 + 4 * node);
    result.state.f.weights = Matrix::Zero(10 + 4 * node, 3);
    result.state.largest_order = 20 + node;
    result.state.disagreement = 0.25;
    result.seconds = 2;
    fit.nodes.emplace_back(std::move(result));
  }
  return fit;
}

RunResult summary_of(const OnlineKernelOptions& method, const std::map<NodeId, double>& quality) {
  RunResult result;
  result.nodes = 2;
  const Json nodes = numbers_of(fit_of_two(), OnlineHistory(), quality);
  summarise_online({nodes.begin(), nodes.end()}, method, result);
  return result;
}

TEST(OnlineReport, SaysHowGoodHowLargeAndHowMuch) {
  OnlineKernelOptions method;
  method.classes = {0, 1, 2};
  const RunResult result = summary_of(method, {{0, 0.9}, {1, 0.8}});
  EXPECT_EQ(result.samples, 2000);
  EXPECT_EQ(result.extra.at("model_order"), 12);
  EXPECT_EQ(result.extra.at("samples_per_second"), 1000);
  const std::string table = online_table(result);
  EXPECT_THAT(table,
              HasSubstr("accuracy on the test samples 0.8500 (mean over nodes), 0.8000 at the worst node"));
  EXPECT_THAT(table, HasSubstr("dictionary: 12.0 samples a node (mean), 21 at most; disagreement 2.50e-01"));
  EXPECT_THAT(table, HasSubstr("2000 samples in 32 rounds"));
}

TEST(OnlineReport, TheWorstErrorIsTheLargest) {
  OnlineKernelOptions method;
  method.loss = Loss::squared;
  EXPECT_THAT(online_table(summary_of(method, {{0, 0.1}, {1, 0.3}})),
              HasSubstr("rmse on the test samples 0.2000 (mean over nodes), 0.3000 at the worst node"));
}

TEST(OnlineReport, NodesAloneDisagreeWithNobody) {
  OnlineKernelOptions method;
  method.consensus = OnlineConsensus::none;
  const std::string table = online_table(summary_of(method, {}));
  EXPECT_THAT(table, Not(HasSubstr("disagreement")));
  EXPECT_THAT(table, Not(HasSubstr("test samples")));
}

TEST(OnlineReport, SaysWhereNodesWentOnFrom) {
  const auto faults_of = [](const std::map<NodeId, OnlineState>& from) {
    RunResult result;
    result.nodes = 2;
    result.extra["faults"] = Json::array();
    const Json nodes = numbers_of(fit_of_two(), OnlineHistory(), {}, from);
    summarise_online({nodes.begin(), nodes.end()}, {}, result);
    return result.extra.at("faults");
  };
  EXPECT_EQ(faults_of({}), Json::array());
  EXPECT_EQ(faults_of({{0, {.round = 16, .samples = 500}}, {1, {.round = 16, .samples = 512}}}),
            Json::parse(R"([{"at": 16, "unit": "round", "what": "resumed",
      "words": "2 nodes went on from a checkpoint after round 16, at sample 500 to 512 of their streams."}])"));
  const Json apart = faults_of({{0, {.round = 20, .samples = 640}}, {1, {.round = 16, .samples = 512}}});
  ASSERT_EQ(apart.size(), 2u);
  EXPECT_EQ(apart[0].at("node"), 1);
  EXPECT_EQ(apart[1].at("words"),
            "Node 0 went on from a checkpoint after round 20, at sample 640 of its stream.");
}

TEST(OnlineReport, SamplesOfAnEarlierRunTookNoTimeInThisOne) {
  RunResult result;
  result.nodes = 2;
  const Json nodes = numbers_of(fit_of_two(), OnlineHistory(), {},
                                {{0, {.round = 25, .samples = 800}}, {1, {.round = 25, .samples = 900}}});
  summarise_online({nodes.begin(), nodes.end()}, {}, result);
  EXPECT_EQ(result.samples, 2000);
  EXPECT_EQ(result.extra.at("samples_per_second"), (200 + 100) / 2);
}

std::vector<std::string> notes_of(const std::vector<std::uint64_t>& samples, OnlineConsensus consensus) {
  OnlineKernelFit fit;
  for (const std::uint64_t count : samples) {
    OnlineKernel node;
    node.node = static_cast<NodeId>(fit.nodes.size());
    node.state.samples = count;
    fit.nodes.emplace_back(std::move(node));
  }
  RunResult result;
  OnlineKernelOptions method;
  method.consensus = consensus;
  const Json nodes = numbers_of(fit, OnlineHistory(), {});
  summarise_online({nodes.begin(), nodes.end()}, method, result);
  return result.notes;
}

TEST(OnlineReport, SaysWhoseStreamEndedBeforeOthers) {
  constexpr auto diffusion = OnlineConsensus::diffusion;
  EXPECT_THAT(notes_of({3200, 3170, 2900, 0}, diffusion), IsEmpty());
  EXPECT_THAT(notes_of({100, 40}, diffusion), IsEmpty()) << "less than two batches";
  EXPECT_THAT(notes_of({320, 3200}, OnlineConsensus::none), IsEmpty()) << "nobody changes what it knows";
  EXPECT_THAT(notes_of({320, 3200, 3199}, diffusion),
              ElementsAre("node 0's stream ended after 320 samples, others went on to 3200; what only it saw "
                          "fades"));
  EXPECT_THAT(
      notes_of({3200, 640, 320}, diffusion),
      ElementsAre("the streams of node 1 and 1 more ended after 320 to 640 samples, others went on to "
                  "3200; what only they saw fades"));
}

TEST(OnlineReport, ARoundWithoutABatchSaysNothingOfOne) {
  OnlineHistory history;
  history.add({.node = 0, .round = 1, .samples = 7, .batch = 7, .loss = 0.5, .mistakes = 0});
  history.add({.node = 0, .round = 2, .samples = 7, .compression = 0.25});
  const std::vector<Json> lines = round_lines({{"node", 0}, {"history", history.of(0)}});
  EXPECT_EQ(lines.at(0).at("loss"), 0.5);
  EXPECT_EQ(lines.at(0).at("mistakes"), 0);
  EXPECT_EQ(lines.at(1), Json::parse(R"({"node": 0, "round": 2, "samples": 7, "model_order": 0,
                                         "compression": 0.25})"));
}

TEST(OnlineReport, KeepsEverFewerRounds) {
  OnlineHistory history;
  for (std::uint64_t round = 1; round <= 100000; ++round)
    history.add({.node = 3, .round = round, .samples = 32 * round, .batch = 32});
  const Json rounds = history.of(3);
  EXPECT_LT(rounds.size(), 300u);
  EXPECT_EQ(rounds[0][0], 1);
  EXPECT_EQ(rounds[9][0], 10) << "all of the first";
  EXPECT_GT(rounds.back()[0], 95000);
  EXPECT_TRUE(history.of(0).empty());
  const Json node = {{"node", 3}, {"history", rounds}};
  EXPECT_EQ(round_lines(node).front().at("samples"), 32);
}

}  // namespace
}  // namespace choir::cli
