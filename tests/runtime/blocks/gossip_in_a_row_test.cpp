// Programs that go on after a gossip: several averages one after another.
#include "runtime/blocks/networks.h"
#include <gtest/gtest.h>

#include "choir/runtime/blocks/gossip.h"

namespace choir {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int averages = 5;
constexpr Index size = 20;

struct Row {
  std::vector<Gossiped> of;
};

Task<Row> averages_in_a_row(Node& node, GossipOptions options) {
  Row row;
  for (int i = 0; i < averages; ++i) {
    const Matrix mine = values_of(node.id()) * (i + 1);
    row.of.push_back(co_await gossip_average(node, mine, options));
  }
  co_return row;
}

GossipOptions short_gossip() {
  GossipOptions options;
  options.messages = 10;
  options.more_follows = true;
  return options;
}

Outcome<Row> run(const SimOptions& network, const Graph& graph, std::uint64_t seed,
                 const GossipOptions& options = short_gossip()) {
  SimEngine engine(network);
  return run_nodes<Row>(engine, graph, contract_of("gossip", Links::raw), seeded(seed),
                        [&](Node& node) { return averages_in_a_row(node, options); });
}

// Of the sums and weights of average i, relative to what the nodes that are there brought along.
double lost_mass(const Outcome<Row>& outcome, int i) {
  Matrix sum = Matrix::Zero(3, 2);
  Matrix brought = sum;
  double weight = 0;
  double nodes = 0;
  for (std::size_t node = 0; node < outcome.results.size(); ++node) {
    if (!outcome.results[node]) continue;
    const Gossiped& held = outcome.results[node]->of[static_cast<std::size_t>(i)];
    sum += held.sum;
    weight += held.weight;
    brought += values_of(static_cast<NodeId>(node)) * (i + 1);
    nodes += 1;
  }
  return std::max((sum - brought).norm() / brought.norm(), std::abs(weight - nodes) / nodes);
}

void expect_all_mass(const Outcome<Row>& outcome) {
  for (int i = 0; i < averages; ++i) EXPECT_LT(lost_mass(outcome, i), 1e-12) << "average " << i;
}

void expect_nobody_given_up(const Outcome<Row>& outcome) {
  for (const auto& row : outcome.results) {
    for (const Gossiped& average : row->of) EXPECT_TRUE(average.given_up.empty());
  }
}

// Ten ticks take a node 100 ms and the slowest of twenty twice that.
TEST(GossipInARow, GoesOnAsSoonAsAllNeighboursAreDone) {
  for (const char* topology : {"complete", "ring:4"}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const auto outcome = run({}, make_topology(topology, size, 0), seed);
      expect_all_mass(outcome);
      expect_nobody_given_up(outcome);
      EXPECT_LT(outcome.report.elapsed, averages * milliseconds(500)) << topology << " " << seed;
    }
  }
}

// The very last acknowledgement may be the one that is lost, for which a node lingers a second.
TEST(GossipInARow, LosesNothingAndLittleTimeWhereMessagesAreLost) {
  SimOptions network;
  network.latency = parse_latency("1ms..20ms");
  network.loss = 0.2;
  network.duplicate = 0.2;
  network.reorder = true;
  for (const char* topology : {"complete", "ring:4"}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const auto outcome = run(network, make_topology(topology, size, 0), seed);
      expect_all_mass(outcome);
      expect_nobody_given_up(outcome);
      EXPECT_LT(outcome.report.elapsed, averages * seconds(3)) << topology << " " << seed;
    }
  }
}

TEST(GossipInARow, WithoutAcknowledgementsIsExactIfNothingIsLost) {
  GossipOptions options = short_gossip();
  options.acknowledged = false;
  const auto outcome = run({}, make_topology("complete", size, 0), 1, options);
  expect_all_mass(outcome);
  EXPECT_LT(outcome.report.elapsed, averages * milliseconds(500));
}

TEST(GossipInARow, WaitsForANodeThatJoinsLate) {
  SimOptions network;
  network.joins.push_back({.node = 4, .at = seconds(2)});
  const auto outcome = run(network, make_topology("complete", size, 0), 1);
  expect_all_mass(outcome);
  expect_nobody_given_up(outcome);
  EXPECT_LT(outcome.report.elapsed, seconds(2) + averages * milliseconds(500));
}

// All are its neighbours: they give it up, take back what was for it, and part in peace from each other.
TEST(GossipInARow, PassesOverANodeThatWasNeverThere) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto outcome = run(testing::without(4), make_topology("complete", size, 0), seed);
    expect_all_mass(outcome);
    for (const auto& row : outcome.results) {
      if (!row) continue;
      for (const Gossiped& average : row->of) EXPECT_EQ(average.given_up, (std::vector<NodeId>{4})) << seed;
    }
    EXPECT_LT(outcome.report.elapsed, averages * seconds(6)) << seed;
  }
}

// Some wait for it and others for those, so that whoever is late may be given up too; what is left is a mean
// with other weights.
TEST(GossipInARow, EndsAfterACrashInASparseNetwork) {
  SimOptions network;
  network.crashes.push_back({.node = 4, .at = milliseconds(400)});
  const auto outcome = run(network, make_topology("ring:4", size, 0), 1);
  EXPECT_LT(outcome.report.elapsed, averages * seconds(7));
  for (std::size_t node = 0; node < size; ++node) {
    if (node == 4) continue;
    for (const Gossiped& average : outcome.results[node]->of) {
      const Matrix mean = average.sum / average.weight;
      EXPECT_GT(average.weight, 0);
      EXPECT_LT(mean.cwiseAbs().maxCoeff(), averages * 3) << "no further out than any value";
    }
  }
}

}  // namespace
}  // namespace choir
