#include "choir/learn/federated_kmeans/facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace choir::federated_kmeans {
namespace {

Findings two_sums() {
  Findings all;
  all.rounds = {{{.what = "gram", .answered = 2, .samples = 6}},
                {{.what = "lloyd", .answered = 1, .silent = {0}, .samples = 3, .attempts = 2}}};
  all.cluster_sizes = {4, 2};
  all.silhouette = 0.5;
  all.tried = {{.clusters = 2, .silhouette = 0.5, .inertia = 1}, {.clusters = 3, .silhouette = 0.25}};
  return all;
}

TEST(FederatedFacts, HaveALinePerSum) {
  const std::vector<Facts> lines = round_facts(two_sums());
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].at("round").number(), 1);
  EXPECT_EQ(lines[0].at("what").text(), "gram");
  EXPECT_EQ(lines[1].at("round").number(), 2);
  EXPECT_EQ(lines[1].at("silent").number(), 1);
  EXPECT_EQ(lines[1].at("attempts").number(), 2);
}

TEST(FederatedFacts, SayWhatWasTriedOnlyWhereTheRunChose) {
  Options options;
  options.n_clusters = 2;
  EXPECT_EQ(facts_of(two_sums(), options).find("tried"), nullptr);
  options.n_clusters.reset();
  const auto tried = std::get<std::vector<Facts>>(facts_of(two_sums(), options).at("tried").value());
  ASSERT_EQ(tried.size(), 2u);
  EXPECT_EQ(tried[1].at("clusters").number(), 3);
}

TEST(FederatedFacts, OfAPrivateRunNameNoFigureOfSamples) {
  const Facts facts = released_facts(two_sums(), Options());
  EXPECT_EQ(facts.at("clusters").number(), 2);
  EXPECT_EQ(facts.at("sums").number(), 2);
  for (const char* kept : {"silhouette", "inertia", "rank", "most_silent"})
    EXPECT_EQ(facts.find(kept), nullptr);
}

TEST(FederatedFacts, TellTheServerFromTheDevices) {
  ServedTraffic served;
  served.by_devices[Kind::masked] = {.messages = 3, .bytes = 300};
  served.by_server = {.messages = 2, .bytes = 50};
  const Facts facts = facts_of(served);
  const Facts masked = std::get<Facts>(
      std::get<Facts>(facts.at("sent_by_devices").value()).at(std::string(to_string(Kind::masked))).value());
  EXPECT_EQ(masked.at("bytes").number(), 300);
  EXPECT_EQ(std::get<Facts>(facts.at("sent_by_server").value()).at("messages").number(), 2);
}

}  // namespace
}  // namespace choir::federated_kmeans
