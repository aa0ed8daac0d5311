#include "choir/learn/consensus_kpca/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/runtime/statement.h"

namespace choir::consensus_kpca {
namespace {

using ::testing::ElementsAre;

NodeResult node_of(NodeId id, double gap) {
  NodeResult node;
  node.node = id;
  node.eigenvalues = (Vector(2) << 30, 10).finished();
  node.trace = 100;
  node.converged = true;
  node.iterations = 2;
  node.change = 0.001 * (id + 1);
  node.consensus_gap = Vector::Constant(2, gap);
  node.between_node_variance = 0.05;
  node.rho = 250;
  node.history = {{.change = 0.2, .gap = 0.4}, {.change = node.change, .gap = gap}};
  node.notes = {"the nodes' data differ"};
  node.setup_seconds = 0.1;
  node.iterate_seconds = 0.2 * (id + 1);
  return node;
}

std::vector<NodeFindings> findings_of_two() {
  return {findings_of(node_of(0, 0.1)), findings_of(node_of(2, 0.3))};
}

TEST(ConsensusFindings, SummariseTheNodes) {
  const Findings all = summarise(findings_of_two());
  EXPECT_DOUBLE_EQ(all.explained_variance_ratio(0), 0.3);
  EXPECT_THAT(std::vector<double>(all.consensus_gap.begin(), all.consensus_gap.end()), ElementsAre(0.2, 0.2));
  EXPECT_TRUE(all.converged);
  EXPECT_EQ(all.iterations, 2);
  EXPECT_DOUBLE_EQ(all.change, 0.003);
  EXPECT_DOUBLE_EQ(all.iterate_seconds, 0.6);
}

TEST(ConsensusFindings, OneNodeThatDidNotConvergeIsEnough) {
  std::vector<NodeFindings> nodes = findings_of_two();
  nodes[1].converged = false;
  EXPECT_FALSE(summarise(nodes).converged);
}

TEST(ConsensusFindings, AdviseMoreIterationsOnlyWhereTheyHelp) {
  std::vector<NodeFindings> nodes = findings_of_two();
  EXPECT_EQ(advice_words(summarise(nodes)), "") << "what every method advises";
  nodes[1].led_away = true;
  EXPECT_THAT(advice_words(summarise(nodes)), ::testing::HasSubstr("--rho auto"));
}

TEST(ConsensusFindings, HaveEveryIteration) {
  EXPECT_THAT(findings_of(node_of(2, 0.3)).changes, ElementsAre(0.2, 0.003));
  EXPECT_THAT(findings_of(node_of(2, 0.3)).gaps, ElementsAre(0.4, 0.3));
}

TEST(ConsensusFindings, TravelBetweenProcessesUnchanged) {
  const NodeFindings node = findings_of(node_of(2, 0.3));
  const auto same = read_statement<NodeFindings>(statement(Kind::summaries, node));
  EXPECT_EQ(same.node, 2);
  EXPECT_EQ(same.eigenvalues, node.eigenvalues);
  EXPECT_EQ(same.consensus_gap, node.consensus_gap);
  EXPECT_EQ(same.changes, node.changes);
  EXPECT_EQ(same.notes, node.notes);
  EXPECT_EQ(same.rho, 250);
}

}  // namespace
}  // namespace choir::consensus_kpca
