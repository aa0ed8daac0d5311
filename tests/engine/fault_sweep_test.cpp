// Every building block under random faults: 300 seeds, each against its own law. A seed that fails is printed
// with its faults; CHOIR_SWEEP_SEED=17 runs that one alone, CHOIR_SWEEP_SEEDS=5000 more of them.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "engine/fault_plan.h"
#include <gtest/gtest.h>

#include "choir/base/error.h"
#include "choir/graph/traversal.h"
#include "choir/runtime/blocks/average.h"
#include "choir/runtime/blocks/extremes.h"
#include "choir/runtime/blocks/flood.h"
#include "choir/runtime/blocks/gossip.h"
#include "choir/runtime/blocks/stop.h"
#include "choir/runtime/blocks/tree.h"
#include "choir/runtime/blocks/tree_sum.h"
#include "choir/runtime/local/local_engine.h"
#include "choir/runtime/sim/sim_engine.h"

namespace choir {
namespace {

constexpr Index width = 3;

// What node j holds at first.
Matrix value_of(std::uint64_t seed, NodeId node) {
  Rng rng(seed, Purpose("sweep-values"), static_cast<std::uint64_t>(node));
  Matrix value(width, 1);
  for (Index i = 0; i < width; ++i) value(i) = rng.normal();
  return value;
}

Matrix sum_of_values(const FaultPlan& plan) {
  Matrix sum = Matrix::Zero(width, 1);
  for (NodeId node = 0; node < plan.graph.nodes(); ++node) sum += value_of(plan.seed, node);
  return sum;
}

Contract contract_for(const char* method, Links links) {
  return {.method = method, .kinds = {Kind::own_statistics, Kind::totals, Kind::control}, .links = links};
}

using Results = std::vector<std::optional<Matrix>>;
using MakeTask = std::function<Task<Matrix>(Node&)>;

// Nothing: the run ended with PeerLost, which is only right if somebody crashed.
std::optional<Results> run_plan(const FaultPlan& plan, Links links, const MakeTask& make_task) {
  SimEngine engine(plan.sim);
  try {
    auto outcome = run_nodes<Matrix>(engine, plan.graph, contract_for("sweep", links), plan.run, make_task);
    EXPECT_LT(outcome.report.elapsed, std::chrono::hours(1)) << "somebody waited for ever";
    for (NodeId node = 0; node < plan.graph.nodes(); ++node) {
      const auto& result = outcome.results[static_cast<std::size_t>(node)];
      EXPECT_TRUE(result.has_value() || node == plan.crashed) << "node " << node << " has no result";
      if (result) {
        EXPECT_TRUE(result->allFinite()) << "node " << node;
      }
    }
    return std::move(outcome.results);
  } catch (const Error& error) {
    EXPECT_TRUE(plan.crashes()) << error.what();
    EXPECT_EQ(error.category(), ErrorCategory::PeerLost) << error.what();
    EXPECT_NE(std::string(error.what()).find("node "), std::string::npos) << error.what();
    return std::nullopt;
  }
}

// Synchronous blocks give on threads, without any fault, the bits they gave in the simulator with all of
// them.
void expect_same_bits_on_threads(const FaultPlan& plan, const MakeTask& make_task, const Results& results) {
  LocalEngine engine({.threads = 2});
  const auto calm =
      run_nodes<Matrix>(engine, plan.graph, contract_for("sweep", Links::reliable), plan.run, make_task);
  EXPECT_EQ(calm.results, results);
}

Task<Matrix> largest_of_all(Node& node, std::uint64_t seed) {
  const Vector mine = value_of(seed, node.id());
  const Vector largest = co_await max_consensus(node, mine, node.network_size());
  co_return Matrix(largest);
}

void sweep_max(const FaultPlan& plan) {
  const MakeTask make_task = [&](Node& node) { return largest_of_all(node, plan.seed); };
  const auto results = run_plan(plan, Links::reliable, make_task);
  if (!results) return;
  Matrix largest = value_of(plan.seed, 0);
  for (NodeId node = 1; node < plan.graph.nodes(); ++node)
    largest = largest.cwiseMax(value_of(plan.seed, node));
  for (NodeId node = 0; node < plan.graph.nodes(); ++node) {
    const auto& result = (*results)[static_cast<std::size_t>(node)];
    if (!result) continue;
    EXPECT_TRUE((result->array() <= largest.array()).all());
    EXPECT_TRUE((result->array() >= value_of(plan.seed, node).array()).all());
    if (!plan.crashes()) {
      EXPECT_EQ(*result, largest) << "node " << node;
    }
  }
  if (!plan.crashes()) expect_same_bits_on_threads(plan, make_task, *results);
}

void sweep_tree_sum(const FaultPlan& plan) {
  const MakeTask make_task = [&](Node& node) {
    return tree_sum(node, node.tree(), value_of(plan.seed, node.id()), Kind::own_statistics);
  };
  const auto results = run_plan(plan, Links::reliable, make_task);
  if (!results || plan.crashes()) return;
  const Matrix sum = sum_of_values(plan);
  for (const auto& result : *results) {
    EXPECT_EQ(*result, *results->front()) << "not the same bits everywhere";
    EXPECT_LT((*result - sum).cwiseAbs().maxCoeff(), 1e-12);
  }
  expect_same_bits_on_threads(plan, make_task, *results);
}

Task<Matrix> flooded(Node& node, NodeId origin, std::uint64_t seed) {
  Message message(Kind::own_statistics);
  if (node.id() == origin) message.array(Array(value_of(seed, origin)));
  const Message received = co_await flood(node, origin, message);
  co_return Matrix(received.array(0).matrix());
}

void sweep_flood(const FaultPlan& plan) {
  const auto origin = static_cast<NodeId>(plan.seed % static_cast<std::uint64_t>(plan.graph.nodes()));
  const auto results =
      run_plan(plan, Links::reliable, [&](Node& node) { return flooded(node, origin, plan.seed); });
  if (!results) return;
  for (const auto& result : *results) {
    if (result) {
      EXPECT_EQ(*result, value_of(plan.seed, origin));
    }
  }
}

// Each node is content from an iteration of its own on; the result is where it stopped.
Task<Matrix> stops(Node& node, std::uint64_t seed) {
  Rng rng(seed, Purpose("content"), static_cast<std::uint64_t>(node.id()));
  const auto content_from = static_cast<Index>(rng.below(20));
  StopAgreement agreement(node.network_size());
  Index t = 0;
  while (t < 1000) {
    const bool over = co_await agree_to_stop(node, agreement, t, t >= content_from);
    ++t;
    if (over) break;
  }
  co_return Matrix(Matrix::Constant(1, 1, static_cast<double>(t)));
}

void sweep_stop(const FaultPlan& plan) {
  const MakeTask make_task = [&](Node& node) { return stops(node, plan.seed); };
  const auto results = run_plan(plan, Links::reliable, make_task);
  if (!results) return;
  std::optional<Matrix> first;
  for (const auto& result : *results) {
    if (!result) continue;
    EXPECT_LT((*result)(0), 1000) << "never agreed";
    // A crash may cut the network in two; each part then agrees for itself.
    if (plan.crashes() && !connected_without(plan.graph, plan.crashed)) continue;
    if (first) {
      EXPECT_EQ(*result, *first) << "not the same iteration";
    }
    first = result;
  }
  if (!plan.crashes()) expect_same_bits_on_threads(plan, make_task, *results);
}

Task<Matrix> averaged(Node& node, std::uint64_t seed) {
  AverageOptions options;
  options.tol = 1e-8;
  const Average result = co_await average(node, value_of(seed, node.id()), options);
  Matrix out(width + 2, 1);
  out << result.mean, result.converged ? 1.0 : 0.0, static_cast<double>(result.rounds);
  co_return out;
}

void sweep_average(const FaultPlan& plan) {
  const MakeTask make_task = [&](Node& node) { return averaged(node, plan.seed); };
  const auto results = run_plan(plan, Links::reliable, make_task);
  if (!results || plan.crashes()) return;
  const Matrix mean = sum_of_values(plan) / static_cast<double>(plan.graph.nodes());
  const double scale = std::max(1.0, mean.cwiseAbs().maxCoeff());
  for (const auto& result : *results) {
    EXPECT_EQ((*result)(width), 1) << "not converged";
    EXPECT_EQ((*result)(width + 1), (*results->front())(width + 1)) << "not the same number of rounds";
    EXPECT_LT((result->topRows(width) - mean).cwiseAbs().maxCoeff(), 1e-6 * scale);
  }
  expect_same_bits_on_threads(plan, make_task, *results);
}

// Sum and weight that a node holds at the end.
Task<Matrix> gossiped(Node& node, std::uint64_t seed) {
  GossipOptions options;
  options.messages = 15;
  const Gossiped mine = co_await gossip_average(node, value_of(seed, node.id()), options);
  Matrix out(width + 1, 1);
  out << mine.sum, mine.weight;
  co_return out;
}

void sweep_gossip(const FaultPlan& plan) {
  const auto results = run_plan(plan, Links::raw, [&](Node& node) { return gossiped(node, plan.seed); });
  if (!results) {
    ADD_FAILURE() << "gossip never waits for anybody, so nobody can be lost";
    return;
  }
  Matrix lowest = value_of(plan.seed, 0);
  Matrix highest = lowest;
  for (NodeId node = 1; node < plan.graph.nodes(); ++node) {
    lowest = lowest.cwiseMin(value_of(plan.seed, node));
    highest = highest.cwiseMax(value_of(plan.seed, node));
  }
  Matrix held = Matrix::Zero(width + 1, 1);
  for (const auto& result : *results) {
    if (!result) continue;
    held += *result;
    ASSERT_GT((*result)(width), 0);
    // Whatever was lost with a dead node or counted twice because of it: an estimate is a mean of the values.
    const Matrix estimate = result->topRows(width) / (*result)(width);
    EXPECT_TRUE((estimate.array() >= lowest.array() - 1e-9).all() &&
                (estimate.array() <= highest.array() + 1e-9).all());
  }
  if (plan.crashes()) return;
  const auto nodes = static_cast<double>(plan.graph.nodes());
  EXPECT_NEAR(held(width), nodes, 1e-12 * nodes);
  EXPECT_LT((held.topRows(width) - sum_of_values(plan)).cwiseAbs().maxCoeff(), 1e-12 * nodes);
}

Task<Matrix> planted(Node& node, NodeId root) {
  const TreePlace place = co_await build_tree(node, root);
  Matrix out(1, 3);
  out << place.parent, place.depth, static_cast<double>(place.children.size());
  co_return out;
}

void sweep_tree(const FaultPlan& plan) {
  const auto root = static_cast<NodeId>(plan.seed % static_cast<std::uint64_t>(plan.graph.nodes()));
  const auto results = run_plan(plan, Links::reliable, [&](Node& node) { return planted(node, root); });
  if (!results || plan.crashes()) return;
  BreadthFirstSearch search(plan.graph);
  search.run(root);
  double children = 0;
  for (NodeId node = 0; node < plan.graph.nodes(); ++node) {
    const Matrix& place = *(*results)[static_cast<std::size_t>(node)];
    EXPECT_EQ(place(1), search.depths()[static_cast<std::size_t>(node)]);
    children += place(2);
  }
  EXPECT_EQ(children, static_cast<double>(plan.graph.nodes() - 1));
}

struct Block {
  const char* name;
  Links links;
  void (*sweep)(const FaultPlan&);
};
constexpr Block blocks[] = {
    {"max_consensus", Links::reliable, sweep_max}, {"tree_sum", Links::reliable, sweep_tree_sum},
    {"flood", Links::reliable, sweep_flood},       {"agree_to_stop", Links::reliable, sweep_stop},
    {"average", Links::reliable, sweep_average},   {"gossip_average", Links::raw, sweep_gossip},
    {"build_tree", Links::reliable, sweep_tree}};

std::uint64_t number_from_environment(const char* name, std::uint64_t fallback) {
  const char* text = std::getenv(name);
  return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

TEST(FaultSweep, EveryBlockKeepsItsLaw) {
  const std::uint64_t only = number_from_environment("CHOIR_SWEEP_SEED", 0);
  const std::uint64_t seeds = number_from_environment("CHOIR_SWEEP_SEEDS", 300);
  const std::uint64_t first = only > 0 ? only : 1;
  const std::uint64_t last = only > 0 ? only : seeds;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    const Block& block = blocks[seed % std::size(blocks)];
    const FaultPlan plan = draw_fault_plan(seed, block.links);
    SCOPED_TRACE(std::string(block.name) + ", " + plan.text());
    ASSERT_NO_THROW(block.sweep(plan));
  }
}

std::string trace_of(std::uint64_t seed) {
  FaultPlan plan = draw_fault_plan(seed, Links::raw);
  std::string text;
  plan.sim.trace = [&](const TraceEvent& event) { text += to_string(event) + "\n"; };
  SimEngine engine(plan.sim);
  run_nodes<Matrix>(engine, plan.graph, contract_for("sweep", Links::raw), plan.run,
                    [&](Node& node) { return gossiped(node, seed); });
  return text;
}

TEST(FaultSweep, ASeedReplaysEventByEvent) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const std::string once = trace_of(seed);
    EXPECT_GT(std::count(once.begin(), once.end(), '\n'), 100);
    EXPECT_EQ(once, trace_of(seed)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace choir
