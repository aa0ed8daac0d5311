// Every building block under faults drawn from a seed. A failure prints its seed, which replays alone:
//
//   CHOIR_SWEEP_SEED=17 test_runtime_blocks_fault_sweep         CHOIR_SWEEP_SEEDS=10000 for a longer sweep
#include <algorithm>
#include <cstdlib>
#include <string>

#include "runtime/blocks/networks.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/runtime/blocks/average.h"
#include "choir/runtime/blocks/extremes.h"
#include "choir/runtime/blocks/flood.h"
#include "choir/runtime/blocks/gossip.h"
#include "choir/runtime/blocks/stop.h"
#include "choir/runtime/blocks/tree.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

using std::chrono::milliseconds;
using testing::values_of;

enum class Block { extremes, tree_sum, stop, flood, average, gossip, build_tree };
constexpr std::uint64_t block_count = 7;

struct Scenario {
  std::string topology;
  Graph graph;
  SimOptions network;
  RunOptions run;
  Block block;

  bool crashes() const { return !network.crashes.empty(); }
  std::string text() const {
    return fmt::format("CHOIR_SWEEP_SEED={}: block {} on {} of {} nodes, {}, {}", run.seed,
                       static_cast<int>(block), topology, graph.nodes(),
                       run.lost_peers == LostPeers::fail ? "fail" : "continue", describe(network));
  }
};

milliseconds drawn_time(Rng& rng, std::uint64_t below) { return milliseconds(rng.below(below)); }

SimOptions draw_faults(Rng& rng, Index nodes) {
  const auto any_node = [&] { return static_cast<NodeId>(rng.below(static_cast<std::uint64_t>(nodes))); };
  SimOptions network;
  network.latency.low = milliseconds(1);
  network.latency.high = milliseconds(1 + rng.below(20));
  if (rng.uniform() < 0.3) network.latency.shape = Latency::Shape::exponential;
  if (rng.uniform() < 0.6) network.loss = rng.uniform(0, 0.2);
  if (rng.uniform() < 0.4) network.duplicate = rng.uniform(0, 0.3);
  network.reorder = rng.uniform() < 0.4;
  if (rng.uniform() < 0.3) network.crashes.push_back({any_node(), drawn_time(rng, 500)});
  if (rng.uniform() < 0.2) network.joins.push_back({any_node(), drawn_time(rng, 1000)});
  if (rng.uniform() < 0.3) network.slow.push_back({any_node(), rng.uniform(1, 50)});
  if (rng.uniform() < 0.3) {
    const NodeId first = any_node();
    const milliseconds from = drawn_time(rng, 300);
    network.partitions.push_back(
        {.first = first,
         .last = static_cast<NodeId>(rng.below(static_cast<std::uint64_t>(nodes - first))) + first,
         .from = from,
         .to = from + drawn_time(rng, 1000)});
  }
  return network;
}

Scenario draw_scenario(std::uint64_t seed) {
  constexpr const char* topologies[] = {"ring:2",   "ring:4", "line",     "star",
                                        "complete", "tree:2", "erdos:0.3"};
  Rng rng(seed, Purpose("fault-sweep"));
  const std::string topology = topologies[rng.below(std::size(topologies))];
  const Index fewest = topology == "ring:4" ? 6 : 4;
  const Index nodes = std::max(fewest, static_cast<Index>(4 + rng.below(21)));
  Scenario scenario{topology, make_topology(topology, nodes, seed), draw_faults(rng, nodes),
                    testing::seeded(seed, std::chrono::seconds(10)),
                    static_cast<Block>(rng.below(block_count))};
  if (rng.uniform() < 0.5) scenario.run.lost_peers = LostPeers::proceed;
  return scenario;
}

// Runs a program. Without a crash nothing may fail and `check` sees all results; with one, everybody who
// lives ends, or the run ends with a sentence that names a node. In either case soon, as the network counts
// time.
template <class T, class MakeTask, class Check>
void expect_to_survive(Scenario scenario, Links links, const MakeTask& make_task, const Check& check) {
  Time last{};
  scenario.network.trace = [&last](const TraceEvent& event) { last = std::max(last, event.time); };
  SimEngine engine(scenario.network);
  try {
    const auto outcome =
        run_nodes<T>(engine, scenario.graph, testing::contract_of("sweep", links), scenario.run, make_task);
    for (NodeId node = 0; node < scenario.graph.nodes(); ++node) {
      const auto& crashed = outcome.report.crashed;
      const bool lives = std::find(crashed.begin(), crashed.end(), node) == crashed.end();
      EXPECT_TRUE(outcome.results[static_cast<std::size_t>(node)] || !lives) << "node " << node;
    }
    if (outcome.report.crashed.empty()) check(outcome);
  } catch (const Error& error) {
    EXPECT_TRUE(scenario.crashes()) << error.what();
    EXPECT_EQ(error.category(), ErrorCategory::PeerLost) << error.what();
    EXPECT_THAT(error.what(),
                ::testing::ContainsRegex("for node [0-9]|what node [0-9]|result of node [0-9]"));
  }
  EXPECT_LT(last.time_since_epoch(), std::chrono::hours(1));
}

void sweep_extremes(const Scenario& it) {
  double largest = values_of(0)(0, 0);
  for (NodeId node = 1; node < it.graph.nodes(); ++node) largest = std::max(largest, values_of(node)(0, 0));
  expect_to_survive<Vector>(
      it, Links::reliable,
      [](Node& node) {
        return max_consensus(node, Vector::Constant(1, values_of(node.id())(0, 0)), 2 * node.tree().height);
      },
      [&](const Outcome<Vector>& outcome) {
        for (const auto& result : outcome.results) EXPECT_EQ((*result)[0], largest);
      });
}

void sweep_tree_sum(const Scenario& it) {
  const auto nodes = static_cast<double>(it.graph.nodes());
  const Matrix total = testing::mean_of(testing::all_values(it.graph)) * nodes;
  expect_to_survive<Matrix>(
      it, Links::reliable, [](Node& node) { return tree_sum(node, node.tree(), values_of(node.id())); },
      [&](const Outcome<Matrix>& outcome) {
        EXPECT_LT((*outcome.results[0] - total).norm(), 1e-13 * nodes);
        for (const auto& result : outcome.results) EXPECT_EQ(*result, *outcome.results[0]);
      });
}

Task<Index> iterate_until_content(Node& node) {
  StopAgreement agreement(node.network_size());
  const Index content_from = (7 * node.id() + 3) % 20;
  Index t = 0;
  for (bool stop = false; !stop; ++t) stop = co_await agree_to_stop(node, agreement, t, t >= content_from);
  co_return t;
}

void sweep_stop(const Scenario& it) {
  Index last_content = 0;
  for (NodeId node = 0; node < it.graph.nodes(); ++node) {
    last_content = std::max<Index>(last_content, (7 * node + 3) % 20);
  }
  expect_to_survive<Index>(it, Links::reliable, iterate_until_content, [&](const Outcome<Index>& outcome) {
    for (const auto& result : outcome.results) {
      EXPECT_EQ(*result, *outcome.results[0]) << "all stop at the same iteration";
      EXPECT_GT(*result, last_content) << "and not before all are content";
    }
  });
}

void sweep_flood(const Scenario& it) {
  const auto origin = static_cast<NodeId>(it.run.seed % static_cast<std::uint64_t>(it.graph.nodes()));
  expect_to_survive<Message>(
      it, Links::reliable,
      [origin](Node& node) {
        Message mine(Kind::control);
        mine.integer(node.id());
        return flood(node, origin, mine);
      },
      [&](const Outcome<Message>& outcome) {
        for (const auto& result : outcome.results) EXPECT_EQ(result->integer(0), origin);
      });
}

void sweep_average(const Scenario& it) {
  const Matrix mean = testing::mean_of(testing::all_values(it.graph));
  expect_to_survive<Average>(
      it, Links::reliable, [](Node& node) { return average(node, values_of(node.id()), AverageOptions()); },
      [&](const Outcome<Average>& outcome) {
        for (const auto& result : outcome.results) {
          EXPECT_TRUE(result->converged);
          EXPECT_EQ(result->rounds, outcome.results[0]->rounds);
          EXPECT_LT((result->mean - mean).cwiseAbs().maxCoeff(), 1e-8);
        }
      });
}

void sweep_gossip(const Scenario& it) {
  const auto nodes = static_cast<double>(it.graph.nodes());
  const Matrix total = testing::mean_of(testing::all_values(it.graph)) * nodes;
  expect_to_survive<Gossiped>(
      it, Links::raw, [](Node& node) { return gossip_average(node, values_of(node.id()), GossipOptions()); },
      [&](const Outcome<Gossiped>& outcome) {
        Matrix sum = Matrix::Zero(3, 2);
        double weight = 0;
        for (const auto& result : outcome.results) {
          sum += result->sum;
          weight += result->weight;
        }
        EXPECT_LT((sum - total).norm(), 1e-12 * nodes);
        EXPECT_NEAR(weight, nodes, 1e-12 * nodes);
      });
}

void sweep_build_tree(const Scenario& it) {
  const auto root = static_cast<NodeId>(it.run.seed % static_cast<std::uint64_t>(it.graph.nodes()));
  const BreadthFirstTree truth = breadth_first_tree(it.graph, root);
  expect_to_survive<TreePlace>(
      it, Links::reliable, [root](Node& node) { return build_tree(node, root); },
      [&](const Outcome<TreePlace>& outcome) {
        for (std::size_t node = 0; node < outcome.results.size(); ++node) {
          EXPECT_EQ(outcome.results[node]->depth, truth.depth[node]);
        }
      });
}

void sweep(std::uint64_t seed) {
  const Scenario scenario = draw_scenario(seed);
  SCOPED_TRACE(scenario.text());
  switch (scenario.block) {
    case Block::extremes:
      return sweep_extremes(scenario);
    case Block::tree_sum:
      return sweep_tree_sum(scenario);
    case Block::stop:
      return sweep_stop(scenario);
    case Block::flood:
      return sweep_flood(scenario);
    case Block::average:
      return sweep_average(scenario);
    case Block::gossip:
      return sweep_gossip(scenario);
    case Block::build_tree:
      return sweep_build_tree(scenario);
  }
}

TEST(FaultSweep, EveryBlockKeepsItsInvariantAndNobodyWaitsForEver) {
  if (const char* one = std::getenv("CHOIR_SWEEP_SEED")) return sweep(std::stoull(one));
  const char* many = std::getenv("CHOIR_SWEEP_SEEDS");
  const std::uint64_t seeds = many == nullptr ? 300 : std::stoull(many);
  for (std::uint64_t seed = 0; seed < seeds && !HasFailure(); ++seed) sweep(seed);
}

}  // namespace
}  // namespace choir
