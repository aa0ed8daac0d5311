#include "choir/cli/gossip_report.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

GossipPca node_of(NodeId id, Index participants) {
  GossipPca node;
  node.node = id;
  node.variances = (Vector(2) << 3, 1).finished();
  node.total_variance = 10;
  node.total_weight = 100;
  node.converged = true;
  node.change = 0.001 * (id + 1);
  node.gap = 0.01 * (id + 1);
  node.between_node_variance = 0.05;
  node.participants = participants;
  node.weight = 30;
  node.counts.sent = 20 + static_cast<std::uint64_t>(id);
  node.history = {{.sent = 11, .change = 0.2, .gap = 0.4},
                  {.sent = 20, .change = node.change, .gap = node.gap}};
  node.notes = {"the nodes' data differ"};
  node.seconds = 2;
  node.merge_seconds = 0.5;
  return node;
}

// Node 1 of three crashed.
GossipPcaFit fit_of_two(Index participants_of_last = 3) {
  GossipPcaFit fit;
  fit.nodes = {node_of(0, 3), std::nullopt, node_of(2, participants_of_last)};
  return fit;
}

RunResult result_of(const GossipPcaFit& fit, std::optional<double> whole_weight = 80) {
  const Json numbers = numbers_of(fit);
  RunResult result;
  result.nodes = 3;
  summarise_gossip({numbers.begin(), numbers.end()}, whole_weight, result);
  return result;
}

TEST(GossipReport, LeavesOutNodesWithoutAnAnswer) { EXPECT_EQ(numbers_of(fit_of_two()).size(), 2u); }

TEST(GossipReport, SummarisesTheNodes) {
  const RunResult result = result_of(fit_of_two());
  EXPECT_EQ(result.n_components, 2);
  EXPECT_THAT(result.eigenvalues, ElementsAre(300, 100));
  EXPECT_THAT(result.explained_variance_ratio, ElementsAre(0.3, 0.1));
  EXPECT_EQ(result.converged, true);
  EXPECT_EQ(result.iterations, 22);
  EXPECT_DOUBLE_EQ(*result.change, 0.003);
  EXPECT_EQ(result.extra["gap"], 0.03);
  EXPECT_EQ(result.extra["messages_per_node"], 21);
  EXPECT_EQ(result.extra["mass"], 0.75);
  EXPECT_EQ(result.extra["merge_share"], 0.25);
  EXPECT_EQ(result.extra["participants"].dump(), R"({"smallest":3,"largest":3,"nodes":3})");
  EXPECT_THAT(result.notes, ElementsAre("the nodes' data differ"));
}

TEST(GossipReport, SaysOnceWhatNodesSayInDifferentNumbers) {
  GossipPcaFit fit = fit_of_two();
  fit.nodes[0]->notes = {"7.6% of the variance lies between the nodes' means"};
  fit.nodes[2]->notes = {"7.5% of the variance lies between the nodes' means"};
  EXPECT_THAT(result_of(fit).notes, ElementsAre("7.6% of the variance lies between the nodes' means; 1 other "
                                                "node says so with other numbers"));
}

TEST(GossipReport, CountsMessagesOfATreeInTheLedger) {
  RunResult result = result_of(fit_of_two());
  result.ledger["statistics"] = {.messages = 6, .bytes = 100};
  count_tree_messages(result);
  EXPECT_EQ(result.extra["messages_per_node"], 2);
}

TEST(GossipReport, OneNodeThatDidNotSettleIsEnough) {
  GossipPcaFit fit = fit_of_two();
  fit.nodes[2]->converged = false;
  EXPECT_EQ(result_of(fit).converged, false);
}

TEST(GossipReport, ANodeAloneHasNothingToWaitFor) {
  GossipPcaFit fit;
  fit.nodes = {node_of(0, 1)};
  fit.nodes[0]->converged = false;
  const Json numbers = numbers_of(fit);
  RunResult result;
  summarise_gossip({numbers.begin(), numbers.end()}, 30, result);
  EXPECT_EQ(result.converged, true);
  EXPECT_FALSE(result.change.has_value());
}

TEST(GossipReport, SaysThatAnswersAreMadeOfDifferentNodes) {
  const RunResult result = result_of(fit_of_two(2));
  ASSERT_EQ(result.notes.size(), 2u);
  EXPECT_THAT(result.notes.front(), HasSubstr("2 at node 2, 3 at node 0"));
  EXPECT_EQ(result.extra.at("participants").at("smallest"), 2);
}

TEST(GossipReport, NobodyKnowsTheMassOfWhatIsForgotten) {
  EXPECT_TRUE(result_of(fit_of_two(), std::nullopt).extra["mass"].is_null());
}

TEST(GossipReport, HasALineForEveryWindowOfANode) {
  const std::vector<Json> lines = window_lines(numbers_of(fit_of_two())[1]);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].dump(), R"({"node":2,"window":2,"sent":20,"change":0.003,"gap":0.03})");
  const std::vector<Json> measured =
      window_lines(numbers_of(fit_of_two())[1], std::vector<double>{0.5, 0.25, 0.125});
  ASSERT_EQ(measured.size(), 3u);
  EXPECT_EQ(measured[0].dump(), R"({"node":2,"window":0,"sent":0,"error":0.5})");
  EXPECT_EQ(measured[2].dump(), R"({"node":2,"window":2,"sent":20,"change":0.003,"gap":0.03,"error":0.125})");
}

TEST(GossipReport, SaysWhatLeftANodeAndHowTheRunEnded) {
  RunResult result = result_of(fit_of_two());
  result.ledger["statistics"] = {.messages = 3, .bytes = 3 * 2048};
  EXPECT_THAT(gossip_table(result),
              HasSubstr("sent by a node (mean): no raw samples, no centroids, statistics 2.0 KiB\n"));
  EXPECT_THAT(gossip_table(result), HasSubstr("\nsettled after 21.0 messages a node"));
  result.converged = false;
  EXPECT_THAT(gossip_table(result), HasSubstr("\nNOT settled after 21.0 messages a node"));
  result.converged = std::nullopt;
  EXPECT_THAT(gossip_table(result), HasSubstr("\n21.0 messages a node (mean), a run of fixed length"));
}

TEST(GossipReport, ComparesWithTheCentralAnswerIfThereIsOne) {
  RunResult result = result_of(fit_of_two());
  EXPECT_THAT(gossip_table(result), Not(HasSubstr("in one place")));
  EXPECT_THAT(result.quality_numbers, IsEmpty());
  GossipQuality quality;
  quality.error_relative = 0.02;
  quality.excess_error = 0.25;
  quality.mean_error = 1e-3;
  quality.subspace_cosine_min = 0.97;
  describe_quality(quality, Division::samples, result);
  const std::string table = gossip_table(result);
  EXPECT_THAT(table,
              HasSubstr("error of the covariance 2.0000e-02, where the best of 2 components has 1.6000e-02"));
  EXPECT_THAT(table, HasSubstr("error of the mean 1.0e-03"));
  EXPECT_THAT(table, HasSubstr("central subspace 0.970000"));
  quality.excess_error = std::numeric_limits<double>::infinity();
  describe_quality(quality, Division::samples, result);
  EXPECT_THAT(gossip_table(result), HasSubstr("the best of 2 components has 0.0000e+00"));
}

TEST(GossipReport, HasNoErrorOfTheMeanWhereEveryNodeHasItsOwn) {
  RunResult result = result_of(fit_of_two());
  describe_quality({}, Division::coordinates, result);
  EXPECT_EQ(result.quality_numbers.count("mean_error"), 0u);
  EXPECT_THAT(gossip_table(result), Not(HasSubstr("error of the mean")));
}

}  // namespace
}  // namespace choir::cli
