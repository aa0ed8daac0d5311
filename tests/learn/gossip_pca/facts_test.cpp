#include "choir/learn/gossip_pca/facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir::gossip_pca {
namespace {

NodeFindings node_with_two_windows() {
  NodeFindings node;
  node.node = 1;
  node.sent_by = {11, 20};
  node.changes = {0.2, 0.1};
  node.gaps = {0.4, 0.3};
  return node;
}

TEST(GossipFacts, HaveALinePerWindow) {
  const std::vector<Facts> lines = window_facts(node_with_two_windows(), {});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].at("node").number(), 1);
  EXPECT_EQ(lines[1].at("window").number(), 2);
  EXPECT_EQ(lines[1].at("sent").number(), 20);
  EXPECT_EQ(lines[1].at("change").number(), 0.1);
  EXPECT_EQ(lines[1].at("gap").number(), 0.3);
  EXPECT_EQ(lines[1].find("error"), nullptr);
}

// The yardstick was kept for the start and one of the two windows.
TEST(GossipFacts, HaveTheErrorWhereItIsKnown) {
  Quality quality;
  quality.error_after = {{}, {0.9, 0.5}};
  const std::vector<Facts> lines = window_facts(node_with_two_windows(), quality);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].at("window").number(), 0);
  EXPECT_EQ(lines[0].at("error").number(), 0.9);
  EXPECT_EQ(lines[1].at("error").number(), 0.5);
  EXPECT_EQ(lines[2].find("error"), nullptr);
}

TEST(GossipFacts, SayHowManyStepsRefinedTheAnswer) {
  Findings all;
  EXPECT_EQ(facts_of(all, Options(), 3, 21).find("refinement_steps"), nullptr);
  all.refinement_steps = 2;
  const Facts facts = facts_of(all, Options(), 3, 21);
  EXPECT_EQ(facts.at("refinement_steps").number(), 2);
  EXPECT_EQ(facts.at("messages_per_node").number(), 21);
}

// What samples show in is not released.
TEST(GossipFacts, OfAPrivateRunNameNoFigureOfSamples) {
  const Facts facts = released_facts(Options(), 4);
  for (const char* kept : {"gap", "mass", "carry", "participants"}) EXPECT_EQ(facts.find(kept), nullptr);
  EXPECT_EQ(facts.at("messages_per_node").number(), 4);
}

TEST(GossipFacts, CoordinatesHaveNoMean) {
  Quality quality;
  quality.mean_error = 0.25;
  EXPECT_EQ(numbers_of(quality, Division::samples).at("mean_error"), 0.25);
  EXPECT_EQ(numbers_of(quality, Division::coordinates).count("mean_error"), 0u);
}

}  // namespace
}  // namespace choir::gossip_pca
