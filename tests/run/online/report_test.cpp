#include "choir/run/online/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir {
namespace {

using online_kernel::NodeFindings;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<NodeFindings> two_nodes(const std::vector<double>& quality) {
  std::vector<NodeFindings> nodes;
  for (NodeId node = 0; node < 2; ++node) {
    nodes.push_back({.node = node,
                     .samples = 1000,
                     .rounds = 32,
                     .model_order = 10 + 4 * node,
                     .largest_order = 20 + node,
                     .disagreement = 0.25,
                     .eta = 3,
                     .seconds = 2});
    if (!quality.empty())
      nodes.back().test = {.quality = quality[static_cast<std::size_t>(node)], .confusion = {}};
  }
  return nodes;
}

// Of dictionaries, unless the options say otherwise.
Result described(const std::vector<NodeFindings>& nodes, online_kernel::Options options = {}) {
  if (!options.representation) options.representation = online_kernel::Representation::dictionary;
  Result result;
  result.nodes = 2;
  describe_online(nodes, options, result);
  return result;
}

TEST(OnlineReport, SaysHowGoodHowLargeAndHowMuch) {
  online_kernel::Options options;
  options.classes = {0, 1, 2};
  const Result result = described(two_nodes({0.9, 0.8}), options);
  EXPECT_EQ(result.samples, 2000);
  EXPECT_EQ(result.facts.at("model_order").number(), 12);
  EXPECT_EQ(result.facts.at("samples_per_second").number(), 1000);
  const std::string words = online_words(result);
  EXPECT_THAT(words,
              HasSubstr("accuracy on the test samples 0.8500 (mean over nodes), 0.8000 at the worst node"));
  EXPECT_THAT(words,
              HasSubstr("dictionary: 12.0 samples per node (mean), 21 at most; disagreement 2.50e-01"));
  EXPECT_THAT(words, HasSubstr("2000 samples in 32 rounds"));
}

TEST(OnlineReport, TheWorstErrorIsTheLargest) {
  online_kernel::Options options;
  options.loss = online_kernel::Loss::squared;
  const Result result = described(two_nodes({0.1, 0.3}), options);
  EXPECT_THAT(online_words(result),
              HasSubstr("rmse on the test samples 0.2000 (mean over nodes), 0.3000 at the worst node"));
  EXPECT_FALSE(result.confusion);
}

TEST(OnlineReport, NodesAloneDisagreeWithNobody) {
  online_kernel::Options options;
  options.consensus = online_kernel::Consensus::none;
  const std::string words = online_words(described(two_nodes({}), options));
  EXPECT_THAT(words, Not(HasSubstr("disagreement")));
  EXPECT_THAT(words, Not(HasSubstr("test samples")));
}

TEST(OnlineReport, SaysWhatSumsOfFeaturesFound) {
  online_kernel::Options options;
  options.representation = online_kernel::Representation::random_features;
  std::vector<NodeFindings> nodes = two_nodes({});
  for (NodeFindings& node : nodes)
    node.features = {.used = 336, .totals = 3, .ridge = 0.1, .loss_ratio = 0.995};
  const Result result = described(nodes, options);
  EXPECT_THAT(online_words(result),
              HasSubstr("336 random features, the same answer at all nodes: 3 totals opened"));
  EXPECT_FALSE(result.good());
  EXPECT_THAT(result.assessment->weaknesses, ElementsAre(HasSubstr("no better than a constant one")));
}

TEST(OnlineReport, HasTheConfusionOfAllNodes) {
  online_kernel::Options options;
  options.classes = {0, 1};
  std::vector<NodeFindings> nodes = two_nodes({0.5, 0.5});
  for (NodeFindings& node : nodes) node.test->confusion = {{0, {3, 1}}, {1, {2, 4}}};
  const Result result = described(nodes, options);
  ASSERT_TRUE(result.confusion);
  EXPECT_THAT(result.confusion->rows, ElementsAre(0, 1));
  EXPECT_THAT(result.confusion->columns, ElementsAre(0, 1));
  EXPECT_THAT(result.confusion->counts, ElementsAre(ElementsAre(6, 2), ElementsAre(4, 8)));
}

TEST(OnlineReport, ResumptionsJoinTheFaults) {
  std::vector<NodeFindings> nodes = two_nodes({});
  nodes[1].resumed = {.round = 16, .samples = 512};
  Result result;
  result.nodes = 2;
  result.faults.push_back({.at = 1, .what = "crashed", .words = "Node 0 crashed."});
  describe_online(nodes, {}, result);
  ASSERT_EQ(result.faults.size(), 2u);
  EXPECT_EQ(result.faults[1].at, 16);
  EXPECT_TRUE(result.faults[1].in_rounds);
  EXPECT_EQ(result.faults[1].node, 1);
  EXPECT_EQ(result.faults[1].what, "resumed");
}

TEST(OnlineReport, NotesSayWhoseStreamEndedEarly) {
  std::vector<NodeFindings> nodes = two_nodes({});
  nodes[0].samples = 100;
  EXPECT_THAT(described(nodes).notes, Contains(HasSubstr("node 0's stream ended after 100 samples")));
}

TEST(OnlineReport, ARoundWithoutABatchSaysNothingOfOne) {
  std::vector<NodeFindings> nodes = two_nodes({});
  nodes[0].history = {{.node = 0, .round = 1, .samples = 7, .batch = 7, .loss = 0.5, .mistakes = 0},
                      {.node = 0, .round = 2, .samples = 7, .compression = 0.25}};
  const std::vector<Facts> lines = described(nodes).metrics;
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].at("loss").number(), 0.5);
  EXPECT_EQ(lines[0].at("mistakes").number(), 0);
  std::vector<std::string> keys;
  for (const auto& [key, value] : lines[1].entries()) keys.push_back(key);
  EXPECT_THAT(keys, ElementsAre("node", "round", "samples", "model_order", "compression"));
  EXPECT_EQ(lines[1].at("compression").number(), 0.25);
}

// A figure of no sample at all would be 0, which is the best loss there is.
TEST(OnlineReport, ThereIsNoProgressiveFigureBeforeANodeHasLearned) {
  std::vector<NodeFindings> nodes = two_nodes({});
  nodes[0].history = {{.node = 0, .round = 1, .samples = 7, .batch = 7, .loss = 2.3},
                      {.node = 0,
                       .round = 2,
                       .samples = 14,
                       .batch = 7,
                       .loss = 0.5,
                       .judged = 7,
                       .progressive_loss = 0.5,
                       .recent_loss = 0.25}};
  const std::vector<Facts> lines = described(nodes).metrics;
  ASSERT_EQ(lines.size(), 2u);
  for (const auto& [key, value] : lines[0].entries()) {
    EXPECT_THAT(key, Not(HasSubstr("progressive"))) << key;
    EXPECT_NE(key, "recent_loss");
  }
  EXPECT_EQ(lines[0].at("loss").number(), 2.3);
  EXPECT_EQ(lines[1].at("progressive_loss").number(), 0.5);
  EXPECT_EQ(lines[1].at("recent_loss").number(), 0.25);
}

}  // namespace
}  // namespace choir
