#include "choir/learn/oneshot_kpca/findings.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"

namespace choir::oneshot_kpca {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Answer answer_of(double residual) {
  Answer answer;
  answer.eigenvalues = (Vector(2) << 30, 10).finished();
  answer.trace = 100;
  answer.residual = residual;
  answer.bound = 0.4;
  answer.assessment.claimed_similarity = (Vector(2) << 1, 0.95).finished();
  answer.seconds = 2;
  return answer;
}

NodeResult node_of(NodeId id) {
  NodeResult node;
  node.node = id;
  node.features = Samples(Samples::Zero(3, 50));
  node.vectors_sent = 7 + id;
  node.local_seconds = 1 + id;
  return node;
}

// Node 1 is the centre.
std::vector<NodeResult> three_parties() {
  std::vector<NodeResult> nodes = {node_of(0), node_of(1), node_of(2)};
  nodes[1].answer = answer_of(1e-9);
  return nodes;
}

Findings summary_of(const std::vector<NodeResult>& nodes) {
  std::vector<NodeFindings> findings;
  for (const NodeResult& node : nodes) findings.push_back(findings_of(node));
  return summarise(findings);
}

TEST(OneshotFindings, SummariseTheAnswerAndWhatWasSent) {
  const Findings all = summary_of(three_parties());
  EXPECT_EQ(all.samples, 50);
  EXPECT_THAT(all.answer.eigenvalues, ElementsAre(30, 10));
  EXPECT_THAT(all.answer.explained_variance_ratio, ElementsAre(0.3, 0.1));
  EXPECT_TRUE(all.answer.converged);
  EXPECT_DOUBLE_EQ(all.answer.residual, 1e-9);
  EXPECT_EQ(all.local_seconds, 3);
  EXPECT_EQ(all.answer.seconds, 2);
  EXPECT_THAT(all.answer_at, ElementsAre(1));
  EXPECT_EQ(all.all_vectors_sent, 24);
  EXPECT_THAT(all.vectors_sent, ElementsAre(7, 8, 9));
  EXPECT_EQ(all.answer.bound, 0.4);
  EXPECT_THAT(all.raw_equivalent, IsEmpty());
  EXPECT_THAT(all.left_out, ElementsAre(0, 0, 0));
}

TEST(OneshotFindings, ABoundThatSaysNothingIsNone) {
  std::vector<NodeResult> nodes = three_parties();
  nodes[1].answer->bound = std::numeric_limits<double>::infinity();
  EXPECT_EQ(summary_of(nodes).answer.bound, std::nullopt);
  EXPECT_THAT(bound_words(summary_of(nodes)), IsEmpty());
  nodes[1].answer->bound.reset();
  EXPECT_EQ(summary_of(nodes).answer.bound, std::nullopt);
}

TEST(OneshotFindings, OneAnswerThatDidNotConvergeIsEnough) {
  std::vector<NodeResult> nodes = three_parties();
  nodes[2].answer = answer_of(1e-3);
  nodes[2].answer->converged = false;
  const Findings all = summary_of(nodes);
  EXPECT_FALSE(all.answer.converged);
  EXPECT_DOUBLE_EQ(all.answer.residual, 1e-3);
}

TEST(OneshotFindings, TheLeastHopefulPartyMakesTheClaims) {
  std::vector<NodeResult> nodes = three_parties();
  nodes[2].answer = answer_of(1e-9);
  nodes[2].answer->assessment.claimed_similarity = (Vector(2) << 0.97, 0.96).finished();
  nodes[2].answer->assessment.weaknesses = {"weak"};
  const Findings all = summary_of(nodes);
  EXPECT_THAT(all.answer.assessment.claimed_similarity, ElementsAre(0.97, 0.95));
  EXPECT_THAT(all.answer.assessment.weaknesses, ElementsAre("weak"));
}

TEST(OneshotFindings, SayThatPartiesDidNotComeToOneAnswer) {
  std::vector<NodeResult> nodes = three_parties();
  EXPECT_THAT(what_helps_words(summary_of(nodes)), IsEmpty()) << "with a centre there is one answer";
  nodes[1].answer->agreement = 0.9995;
  EXPECT_THAT(what_helps_words(summary_of(nodes)), IsEmpty());
  nodes[1].answer->agreement = 0.06;
  EXPECT_THAT(what_helps_words(summary_of(nodes)),
              ::testing::AllOf(::testing::HasSubstr("0.060"), ::testing::HasSubstr("--messages-per-node")));
}

TEST(OneshotFindings, SayThatValuesAreTooLarge) {
  std::vector<NodeResult> nodes = three_parties();
  nodes[1].answer->residual = std::numeric_limits<double>::infinity();
  EXPECT_THAT(what_helps_words(summary_of(nodes)), ::testing::HasSubstr("--divide"));
}

TEST(OneshotFindings, SayWhichNodesSentAsMuchAsTheyHave) {
  std::vector<NodeResult> nodes = three_parties();
  nodes[0].raw_equivalent = nodes[2].raw_equivalent = true;
  EXPECT_THAT(summary_of(nodes).raw_equivalent, ElementsAre(0, 2));
}

TEST(OneshotFindings, WithoutTheCentreThereIsNoAnswer) {
  std::vector<NodeResult> nodes = three_parties();
  nodes[1].answer.reset();
  EXPECT_THROW(summary_of(nodes), Error);
}

TEST(OneshotFindings, NumberSamplesThatWereLeftOutWhereTheyAreKnown) {
  NodeResult node = node_of(0);
  node.left_out = {3, 4, 8, 9};
  EXPECT_EQ(
      left_out_words(findings_of(node), node.left_out),
      "4 of 54 samples of node 0 are left out, as not all nodes have their keys: samples 4, 5, 9 and 1 more");
  node = node_of(2);
  EXPECT_THAT(left_out_words(findings_of(node), {}), IsEmpty());
  node.left_out = {1};
  EXPECT_EQ(left_out_words(findings_of(node), {}),
            "1 of 51 samples of node 2 is left out, as not all nodes have its key");
  EXPECT_EQ(left_out_words(findings_of(node), node.left_out),
            "1 of 51 samples of node 2 is left out, as not all nodes have its key: sample 2");
}

TEST(OneshotFindings, LabelsFollowTheirKeys) {
  NodeResult node = node_of(0);
  node.left_out = {1};
  const std::vector<std::string> keys = {"cleo", "ben", "ada"};
  EXPECT_THAT(labels_in_order(node, {7, 8, 9}, keys, true), ElementsAre(9, 7));
  EXPECT_THAT(labels_in_order(node, {7, 8, 9}, {}, false), ElementsAre(7, 8, 9));
  EXPECT_THAT(labels_in_order(node, {}, keys, true), IsEmpty());
}

TEST(OneshotFindings, SayWhoHasTheAnswerAndHowGoodItIs) {
  std::vector<NodeResult> nodes = three_parties();
  Findings all = summary_of(nodes);
  EXPECT_EQ(vector_words(all), "vectors per node: 7 to 9, 24 together");
  EXPECT_EQ(answer_words(all, 3), "node 1 has the answer");
  EXPECT_EQ(bound_words(all), "Theorem 1: ||sin Theta|| is at most 0.4");
  EXPECT_EQ(ending_words(all), "converged, residual 1.0e-09");
  nodes[0].answer = nodes[2].answer = nodes[1].answer;
  nodes[0].answer->bound = 1.5;
  nodes[0].vectors_sent = nodes[2].vectors_sent = 8;
  all = summary_of(nodes);
  all.answer.converged = false;
  EXPECT_EQ(ending_words(all), "NOT converged, residual 1.0e-09");
  EXPECT_EQ(vector_words(all), "vectors per node: 8, 24 together");
  EXPECT_EQ(answer_words(all, 3), "every node has the answer");
  EXPECT_THAT(bound_words(all), IsEmpty()) << "a bound of 1.5 says nothing";
}

}  // namespace
}  // namespace choir::oneshot_kpca
