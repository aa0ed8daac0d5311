#include "choir/learn/online_kernel/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir::online_kernel {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

NodeFindings node_of(NodeId node, std::uint64_t samples = 1000) {
  return {.node = node,
          .samples = samples,
          .rounds = 32,
          .model_order = 10 + 4 * node,
          .largest_order = 20 + node,
          .disagreement = 0.25,
          .eta = 3,
          .seconds = 2};
}

std::vector<NodeFindings> two_nodes() { return {node_of(0), node_of(1)}; }

// After 32 rounds with eta 3, whether a node says so or all of them together.
template <class Found>
void expect_progress(const Found& found, std::uint64_t samples, Index model_order, Index largest_order) {
  EXPECT_EQ(found.samples, samples);
  EXPECT_EQ(found.rounds, 32u);
  EXPECT_EQ(found.model_order, model_order);
  EXPECT_EQ(found.largest_order, largest_order);
  EXPECT_EQ(found.eta, 3);
}

TEST(OnlineFindings, AreThoseOfTheNodesState) {
  NodeResult result;
  result.node = 3;
  result.state.samples = 1000;
  result.state.round = 32;
  result.state.kernel.gamma = 0.5;
  result.state.eta = 3;
  result.state.f.atoms = Samples::Zero(2, 10);
  result.state.f.weights = Matrix::Zero(10, 3);
  result.state.largest_order = 20;
  result.notes = {"a note"};
  History history;
  history.add({.node = 3, .round = 1, .samples = 32});
  history.add({.node = 4, .round = 1, .samples = 32});
  const NodeFindings findings = findings_of(result, history);
  EXPECT_EQ(findings.node, 3);
  expect_progress(findings, 1000, 10, 20);
  EXPECT_EQ(findings.gamma, 0.5);
  EXPECT_THAT(findings.notes, ElementsAre("a note"));
  EXPECT_EQ(findings.history.size(), 1u);
  EXPECT_FALSE(findings.test);
  EXPECT_FALSE(findings.resumed);
}

TEST(OnlineFindings, SumUpSamplesAndAverageDictionaries) {
  const Findings all = summarise(two_nodes());
  expect_progress(all, 2000, 12, 21);
  EXPECT_EQ(all.disagreement, 0.25);
  EXPECT_EQ(all.samples_per_second, 1000);
  EXPECT_THAT(all.confusion, IsEmpty());
}

TEST(OnlineFindings, SamplesOfAnEarlierRunTookNoTimeInThisOne) {
  std::vector<NodeFindings> nodes = two_nodes();
  nodes[0].resumed = {.round = 25, .samples = 800};
  nodes[1].resumed = {.round = 25, .samples = 900};
  const Findings all = summarise(nodes);
  EXPECT_EQ(all.samples, 2000u);
  EXPECT_EQ(all.samples_per_second, (200 + 100) / 2);
}

TEST(OnlineFindings, SayWhereNodesWentOnFrom) {
  std::vector<NodeFindings> nodes = two_nodes();
  EXPECT_THAT(resumptions(nodes), IsEmpty());
  nodes[0].resumed = {.round = 16, .samples = 500};
  nodes[1].resumed = {.round = 16, .samples = 512};
  const std::vector<Resumption> together = resumptions(nodes);
  ASSERT_EQ(together.size(), 1u);
  EXPECT_EQ(together[0].round, 16u);
  EXPECT_FALSE(together[0].node);
  EXPECT_EQ(together[0].words,
            "2 nodes went on from a checkpoint after round 16, at sample 500 to 512 of their streams.");
  nodes[0].resumed = {.round = 20, .samples = 640};
  const std::vector<Resumption> apart = resumptions(nodes);
  ASSERT_EQ(apart.size(), 2u);
  EXPECT_EQ(apart[0].node, 1);
  EXPECT_EQ(apart[1].words, "Node 0 went on from a checkpoint after round 20, at sample 640 of its stream.");
}

std::string early_ends_of(const std::vector<std::uint64_t>& samples, Consensus consensus) {
  std::vector<NodeFindings> nodes;
  for (const std::uint64_t count : samples)
    nodes.push_back(node_of(static_cast<NodeId>(nodes.size()), count));
  Options options;
  options.representation = Representation::dictionary;
  options.consensus = consensus;
  return early_ends(nodes, options);
}

TEST(OnlineFindings, SayWhoseStreamEndedBeforeOthers) {
  constexpr auto diffusion = Consensus::diffusion;
  EXPECT_EQ(early_ends_of({3200, 3170, 2900, 0}, diffusion), "");
  EXPECT_EQ(early_ends_of({100, 40}, diffusion), "") << "less than two batches";
  EXPECT_EQ(early_ends_of({320, 3200}, Consensus::none), "") << "nobody changes what it knows";
  EXPECT_EQ(early_ends_of({320, 3200, 3199}, diffusion),
            "node 0's stream ended after 320 samples, others went on to 3200; what only it saw fades");
  EXPECT_EQ(early_ends_of({3200, 640, 320}, diffusion),
            "the streams of node 1 and 1 more ended after 320 to 640 samples, others went on to 3200; what "
            "only they saw fades");
}

TEST(OnlineHistory, KeepsEverFewerRounds) {
  History history;
  for (std::uint64_t round = 1; round <= 100000; ++round)
    history.add({.node = 3, .round = round, .samples = 32 * round, .batch = 32});
  const std::vector<Round> rounds = history.of(3);
  EXPECT_LT(rounds.size(), 300u);
  EXPECT_EQ(rounds[0].round, 1u);
  EXPECT_EQ(rounds[0].samples, 32u);
  EXPECT_EQ(rounds[9].round, 10u) << "all of the first";
  EXPECT_GT(rounds.back().round, 95000u);
  EXPECT_THAT(history.of(0), IsEmpty());
}

// Answers 7 for positive numbers, 3 for others.
KernelMachine signs() {
  KernelMachine machine;
  machine.kernel.kind = KernelKind::linear;
  machine.points = Samples::Ones(1, 1);
  machine.weights = Matrix::Zero(1, 2);
  machine.weights(0, 1) = 1;
  machine.classes = {3, 7};
  return machine;
}

TEST(OnlineTest, CountsWhatLabelsWereTakenFor) {
  Samples samples(1, 5);
  samples << 1, 2, -1, 3, -2;
  Vector labels(5);
  labels << 7, 7, 7, 3, 9;
  const TestFindings test = test_machine(signs(), samples, labels, 1);
  EXPECT_DOUBLE_EQ(test.quality, 0.4);
  EXPECT_THAT(test.confusion, ElementsAre(Pair(3, ElementsAre(0, 1)), Pair(7, ElementsAre(1, 2)),
                                          Pair(9, ElementsAre(1, 0))));
  std::vector<NodeFindings> nodes = two_nodes();
  nodes[0].test = test;
  nodes[1].test = TestFindings{.quality = 1, .confusion = {{3, {4, 0}}}};
  EXPECT_THAT(summarise(nodes).confusion, ElementsAre(Pair(3, ElementsAre(4, 1)), Pair(7, ElementsAre(1, 2)),
                                                      Pair(9, ElementsAre(1, 0))));
}

TEST(OnlineTest, OfValuesIsTheirError) {
  KernelMachine machine = signs();
  machine.classes = {};
  machine.weights = Matrix::Ones(1, 1);
  Samples samples(1, 2);
  samples << 1, 2;
  Vector values(2);
  values << 4, 6;
  const TestFindings test = test_machine(machine, samples, values, 1);
  EXPECT_DOUBLE_EQ(test.quality, std::sqrt((9 + 16) / 2.0));
  EXPECT_THAT(test.confusion, IsEmpty());
}

}  // namespace
}  // namespace choir::online_kernel
