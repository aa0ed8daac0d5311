#include "choir/learn/gossip_pca/findings.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir::gossip_pca {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

NodeResult node_of(NodeId id, Index participants) {
  NodeResult node;
  node.node = id;
  node.variances = Vector{{3, 1}};
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
std::vector<NodeFindings> two_nodes(Index participants_of_last = 3) {
  return {findings_of(node_of(0, 3)), findings_of(node_of(2, participants_of_last))};
}

TEST(GossipFindings, SayWhatANodeHasToSay) {
  const NodeFindings node = findings_of(node_of(2, 3));
  EXPECT_EQ(node.node, 2);
  EXPECT_THAT(node.eigenvalues, ElementsAre(300, 100));
  EXPECT_THAT(node.explained_variance_ratio, ElementsAre(0.3, 0.1));
  EXPECT_EQ(node.gamma, 0);
  EXPECT_THAT(node.notes, ElementsAre("the nodes' data differ"));
  EXPECT_THAT(node.sent_by, ElementsAre(11, 20));
  EXPECT_THAT(node.changes, ElementsAre(0.2, 0.003));
  EXPECT_THAT(node.gaps, ElementsAre(0.4, 0.03));
}

TEST(GossipFindings, SummariseTheNodes) {
  const Findings all = summarise(two_nodes(), 3, 80);
  EXPECT_THAT(all.eigenvalues, ElementsAre(300, 100));
  EXPECT_THAT(all.explained_variance_ratio, ElementsAre(0.3, 0.1));
  EXPECT_TRUE(all.converged);
  EXPECT_EQ(all.messages, 22);
  EXPECT_DOUBLE_EQ(*all.change, 0.003);
  EXPECT_DOUBLE_EQ(all.gap, 0.03);
  EXPECT_EQ(all.messages_per_node, 21);
  EXPECT_EQ(all.mass, 0.75);
  EXPECT_EQ(all.merge_share, 0.25);
  EXPECT_EQ(all.seconds, 2);
  EXPECT_EQ(all.between_node_variance, 0.05);
  EXPECT_EQ(all.fewest.count, 3);
  EXPECT_EQ(all.most.count, 3);
  EXPECT_THAT(participants_words(all), IsEmpty());
}

TEST(GossipFindings, OneNodeThatDidNotSettleIsEnough) {
  std::vector<NodeFindings> nodes = two_nodes();
  nodes[1].converged = false;
  EXPECT_FALSE(summarise(nodes, 3, 80).converged);
}

TEST(GossipFindings, ANodeAloneHasNothingToWaitFor) {
  std::vector<NodeFindings> nodes = {findings_of(node_of(0, 1))};
  nodes[0].converged = false;
  const Findings all = summarise(nodes, 1, 30);
  EXPECT_TRUE(all.converged);
  EXPECT_FALSE(all.change.has_value());
}

TEST(GossipFindings, SayThatAnswersAreMadeOfDifferentNodes) {
  const Findings all = summarise(two_nodes(2), 3, 80);
  EXPECT_EQ(all.fewest.count, 2);
  EXPECT_THAT(participants_words(all), HasSubstr("2 at node 2, 3 at node 0"));
}

TEST(GossipFindings, KnowTheWeightOfAllDataUnlessTheyAreForgotten) {
  Options options;
  EXPECT_EQ(whole_weight(options, 3, 80), 80);
  options.schedule = Schedule::tree;
  EXPECT_EQ(whole_weight(options, 3, 80), 240);
  options.half_life = std::chrono::seconds(1);
  EXPECT_EQ(whole_weight(options, 3, 80), std::nullopt);
  EXPECT_EQ(summarise(two_nodes(), 3, std::nullopt).mass, std::nullopt);
}

TEST(GossipFindings, CountMessagesOfATreeInTheLedger) {
  EXPECT_EQ(tree_messages_per_node({}, 3), 0);
  EXPECT_EQ(tree_messages_per_node({{Kind::own_statistics, {.messages = 6, .bytes = 100}},
                                    {Kind::control, {.messages = 9, .bytes = 9}}},
                                   3),
            2);
}

TEST(GossipFindings, MissTheDataOfNodesThatLive) {
  EXPECT_TRUE(summarise(two_nodes(), 2, std::nullopt).converged);
  const Findings all = summarise(two_nodes(1), 2, std::nullopt);
  EXPECT_FALSE(all.converged);
  EXPECT_THAT(advice_words(all, 2, 8), HasSubstr("when all nodes can be reached"));
}

TEST(GossipFindings, SayWhatWasCountedTwiceOrLost) {
  const Findings right = summarise(two_nodes(), 2, 80);
  const double weight = *right.mass * 80;
  EXPECT_THAT(mass_words(summarise(two_nodes(), 2, weight), 2), IsEmpty());
  const Findings twice = summarise(two_nodes(), 2, weight / 1.27);
  EXPECT_FALSE(twice.converged);
  EXPECT_THAT(mass_words(twice, 2), HasSubstr("1.27 times that of all data"));
  const Findings lost = summarise(two_nodes(), 2, weight * 2);
  EXPECT_FALSE(lost.converged) << "nobody died, so nothing may be missing";
  EXPECT_THAT(mass_words(lost, 2), HasSubstr("0.5 of that of all data: the rest was lost with messages"));
  const Findings died = summarise(two_nodes(), 3, weight * 2);
  EXPECT_TRUE(died.converged);
  EXPECT_THAT(mass_words(died, 3), HasSubstr("lost with nodes that died"));
}

TEST(GossipFindings, KnowWhoHasTheRefinedAnswer) {
  std::vector<NodeFindings> nodes = two_nodes();
  for (NodeFindings& node : nodes) {
    node.refined = true;
    node.assessment.emplace();
  }
  const Findings all = summarise(nodes, 2, std::nullopt);
  EXPECT_TRUE(all.assessment);
  EXPECT_THAT(refinement_words(all), IsEmpty());
  EXPECT_THAT(advice_words(all, 2, 8), HasSubstr("raise --carry, which is 8"));
  nodes[1].refined = false;
  nodes[1].torn = true;
  const Findings torn = summarise(nodes, 2, std::nullopt);
  EXPECT_FALSE(torn.converged);
  EXPECT_FALSE(torn.assessment);
  EXPECT_THAT(refinement_words(torn), HasSubstr("1 of 2 nodes have the refined answer"));
}

TEST(GossipFindings, SayHowTheRunEnded) {
  EXPECT_EQ(ending_words(true, 21, true), "settled after 21.0 messages per node (mean)");
  EXPECT_EQ(ending_words(false, 21, true), "NOT settled after 21.0 messages per node (mean)");
  EXPECT_EQ(
      ending_words(true, 2.5, false),
      "settled after 2.5 messages per node (mean), sums along a tree that left nothing to gossip about");
  EXPECT_TRUE(did_gossip(summarise(two_nodes(), 3, 80)));
  EXPECT_EQ(ending_words(std::nullopt, 21, true),
            "21.0 messages per node (mean), a run of fixed length, not refined");
}

TEST(GossipFindings, CompareWithTheCentralAnswer) {
  Quality quality;
  quality.error_relative = 0.02;
  quality.excess_error = 0.25;
  quality.mean_error = 1e-3;
  quality.subspace_cosine_min = 0.97;
  const std::string words = quality_words(quality, Division::samples, 2);
  EXPECT_THAT(words, HasSubstr("against PCA of all data in one place"));
  EXPECT_THAT(words,
              HasSubstr("error of the covariance 2.0000e-02, where the best of 2 components has 1.6000e-02"));
  EXPECT_THAT(words, HasSubstr("error of the mean 1.0e-03"));
  EXPECT_THAT(words, HasSubstr("central subspace 0.970000"));
  quality.excess_error = std::numeric_limits<double>::infinity();
  EXPECT_THAT(quality_words(quality, Division::samples, 2),
              HasSubstr("the best of 2 components has 0.0000e+00"));
}

TEST(GossipFindings, HaveNoErrorOfTheMeanWhereEveryNodeHasItsOwn) {
  EXPECT_THAT(quality_words({}, Division::coordinates, 2), Not(HasSubstr("error of the mean")));
}

}  // namespace
}  // namespace choir::gossip_pca
