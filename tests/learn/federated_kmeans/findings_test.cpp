#include "choir/learn/federated_kmeans/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/graph/regular.h"
#include "choir/learn/federated_kmeans/central_cost.h"
#include "choir/runtime/statement.h"

namespace choir::federated_kmeans {
namespace {

using ::testing::ElementsAre;

// Devices 0 and 1, and the server.
std::vector<NodeResult> results_of_two() {
  std::vector<NodeResult> results(3);
  for (NodeId node = 0; node < 3; ++node) {
    NodeResult& result = results[static_cast<std::size_t>(node)];
    result.node = node;
    result.model.counts = Vector{{2.9, 3.1}};  // as the server estimates them from those who answered
    result.inertia = 1.5;
    result.iterations = 7;
    result.converged = true;
    if (node < 2) result.labels = {0, 1, 1};
  }
  results[2].rounds = {{.what = "gram", .answered = 2, .samples = 6},
                       {.what = "lloyd", .answered = 1, .silent = {0}, .samples = 3}};
  return results;
}

std::vector<NodeFindings> findings_of_all(const std::vector<NodeResult>& results,
                                          const std::vector<std::vector<std::int64_t>>& labels = {}) {
  std::vector<NodeFindings> all;
  for (const NodeResult& result : results) {
    const auto node = static_cast<std::size_t>(result.node);
    all.push_back(findings_of(result, node < labels.size() ? labels[node] : std::vector<std::int64_t>()));
  }
  return all;
}

TEST(FederatedFindings, CompareWithTheLabelsOfAllDevices) {
  const auto comparison = compare_with_labels(findings_of_all(results_of_two(), {{5, 9, 9}, {5, 9, 5}}));
  ASSERT_TRUE(comparison);
  EXPECT_NEAR(comparison->accuracy, 5.0 / 6, 1e-12);
  EXPECT_GT(comparison->nmi, 0);
  EXPECT_GT(comparison->ari, 0);
  EXPECT_THAT(comparison->labels, ElementsAre(5, 9));
  EXPECT_THAT(comparison->counts, ElementsAre(ElementsAre(2, 1), ElementsAre(0, 3)));
  EXPECT_FALSE(compare_with_labels(findings_of_all(results_of_two(), {{}, {}})));
}

TEST(FederatedFindings, TheCoordinatorKnowsWhoAnswered) {
  const Findings all = summarise(findings_of_all(results_of_two()));
  EXPECT_EQ(all.rounds.size(), 2u);
  EXPECT_EQ(all.most_silent, 1);
  EXPECT_EQ(all.most_refused, 0);
  EXPECT_EQ(all.iterations, 7);
  EXPECT_TRUE(all.converged);
  EXPECT_EQ(all.inertia, 1.5);
  EXPECT_THAT(all.cluster_sizes, ElementsAre(2, 4));
  EXPECT_EQ(all.rounds[1].what, "lloyd");
  EXPECT_EQ(all.rounds[1].silent.size(), 1u);
}

TEST(FederatedFindings, WithoutRoundsTheFirstNodeSpeaks) {
  std::vector<NodeResult> results = results_of_two();
  results[2].rounds.clear();
  results[0].iterations = 3;
  EXPECT_EQ(summarise(findings_of_all(results)).iterations, 3);
}

TEST(FederatedFindings, CountTheSamplesOfDevicesThatHaveAnAnswer) {
  std::vector<NodeResult> results = results_of_two();
  results.erase(results.begin());  // crashed
  EXPECT_THAT(summarise(findings_of_all(results)).cluster_sizes, ElementsAre(1, 2));
}

TEST(FederatedFindings, SayHowFarTheCentresMovedIfThatIsKnown) {
  std::vector<NodeResult> results = results_of_two();
  EXPECT_FALSE(summarise(findings_of_all(results)).change);
  results[2].change = 0.25;
  EXPECT_EQ(summarise(findings_of_all(results)).change, 0.25);
}

TEST(FederatedFindings, SayFromWhenToWhenADeviceWasSilent) {
  std::vector<NodeResult> results = results_of_two();
  results[2].rounds.clear();
  const std::vector<std::vector<NodeId>> silent = {{}, {0, 1}, {1}, {}, {1}};
  for (const std::vector<NodeId>& devices : silent)
    results[2].rounds.push_back({.what = "lloyd", .silent = devices});
  std::vector<std::vector<Index>> found;
  for (const Silence& silence : summarise(findings_of_all(results)).silences)
    found.push_back({silence.device, silence.first, silence.last});
  EXPECT_THAT(found, ElementsAre(ElementsAre(0, 2, 2), ElementsAre(1, 2, 3), ElementsAre(1, 5, 5)));
}

TEST(FederatedFindings, SayInWordsWhatWasFound) {
  Findings all = summarise(findings_of_all(results_of_two()));
  EXPECT_EQ(cluster_words(all), "2 clusters of 2, 4 samples; inertia 1.5\n");
  EXPECT_EQ(comparison_words({.nmi = 0.5, .ari = 0.25, .accuracy = 1}),
            "against the labels: mutual information 0.5000, adjusted Rand index 0.2500, accuracy 1.0000\n");
  EXPECT_EQ(cost_words({.cost = 3, .ratio = 1.25}),
            "against kernel k-means of all samples in one place: 1.25000 of its cost\n");
  EXPECT_EQ(silence_words({.device = 3, .first = 4, .last = 4}),
            "Device 3 was silent in sum 4, which was formed without it.");
  EXPECT_EQ(silence_words({.device = 3, .first = 4, .last = 6}),
            "Device 3 was silent in sums 4 to 6, which were formed without it.");
  EXPECT_EQ(ending_words(all, {}), "2 sums, masked; up to 1 devices silent; converged after 7 iterations\n");
  all.converged = false;
  all.most_refused = 2;
  EXPECT_EQ(ending_words(all, {.masks = Masks::off}),
            "2 sums, not masked; up to 1 devices silent; 2 refused; NOT converged after 7 iterations\n");
  EXPECT_EQ(ending_words(all, {.coordination = Coordination::gossip}),
            "no server; NOT converged after 7 iterations\n");
}

TEST(FederatedFindings, TellDevicesAndServerApart) {
  const Graph star = star_graph(3, 2);
  Ledger ledger(star, {Kind::own_statistics, Kind::centroids});
  ledger.count(0, 0, Kind::own_statistics, 2048);
  ledger.count(1, 0, Kind::own_statistics, 2048);
  ledger.count(2, 0, Kind::own_statistics, 5120);
  const auto traffic = served_traffic(ledger, 2);
  ASSERT_TRUE(traffic);
  EXPECT_EQ(traffic->by_devices.at(Kind::own_statistics), (Traffic{.messages = 2, .bytes = 4096}));
  EXPECT_EQ(traffic->by_devices.at(Kind::centroids), Traffic());
  EXPECT_EQ(traffic->by_server, (Traffic{.messages = 1, .bytes = 5120}));
  EXPECT_FALSE(served_traffic(ledger, 3)) << "no server";
}

TEST(FederatedFindings, CanBeToldToOthers) {
  std::vector<NodeResult> results = results_of_two();
  results[2].change = 0.5;
  const NodeFindings told = findings_of(results[2], {});
  const auto heard = read_statement<NodeFindings>(statement(Kind::summaries, told));
  EXPECT_EQ(heard.change, told.change);
  EXPECT_EQ(heard.rounds[1].silent, told.rounds[1].silent);
  EXPECT_EQ(heard.rounds[1].samples, 3);
}

}  // namespace
}  // namespace choir::federated_kmeans
