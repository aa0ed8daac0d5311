#include "engine/fault_plan.h"

#include <array>

#include <fmt/format.h>

#include "choir/base/rng.h"
#include "choir/graph/topology.h"
#include "choir/graph/traversal.h"

namespace choir {
namespace {

constexpr std::array topologies = {"ring:2", "ring:4", "line",     "star",
                                   "tree:2", "grid",   "complete", "erdos:0.4"};

Duration milliseconds(double count) { return Duration(static_cast<Duration::rep>(count * 1e6)); }

Latency draw_latency(Rng& rng) {
  Latency latency;
  latency.low = milliseconds(rng.uniform(0, 5));
  latency.high = latency.low + milliseconds(rng.uniform(0, 20));
  latency.shape = rng.below(2) == 0 ? Latency::Shape::uniform : Latency::Shape::exponential;
  return latency;
}

NodeId draw_node(Rng& rng, Index nodes) {
  return static_cast<NodeId>(rng.below(static_cast<std::uint64_t>(nodes)));
}

void draw_network_faults(Rng& rng, const Graph& graph, SimOptions& sim) {
  sim.latency = draw_latency(rng);
  if (rng.below(2) == 0) sim.loss = rng.uniform(0, 0.2);
  if (rng.below(3) == 0) {
    const Edge link = graph.edge_list()[rng.below(static_cast<std::uint64_t>(graph.edges()))];
    sim.links.push_back({link.a, link.b, draw_latency(rng)});
  }
  if (rng.below(3) == 0) {
    const NodeId last = draw_node(rng, graph.nodes());
    const Duration from = milliseconds(rng.uniform(0, 300));
    sim.partitions.push_back(
        {.first = 0, .last = last, .from = from, .to = from + milliseconds(rng.uniform(1, 2000))});
  }
}

void draw_node_faults(Rng& rng, const Graph& graph, SimOptions& sim) {
  if (rng.below(3) == 0)
    sim.joins.push_back({draw_node(rng, graph.nodes()), milliseconds(rng.uniform(1, 1000))});
  if (rng.below(3) == 0) sim.slow.push_back({draw_node(rng, graph.nodes()), rng.uniform(1, 20)});
}

}  // namespace

FaultPlan draw_fault_plan(std::uint64_t seed, Links links) {
  Rng rng(seed, Purpose("fault-plan"));
  const auto nodes = static_cast<Index>(4 + rng.below(21));
  const std::string topology = topologies[rng.below(topologies.size())];
  FaultPlan plan{.seed = seed,
                 .topology = fmt::format("{} --nodes {}", topology, nodes),
                 .graph = make_topology(topology, nodes, seed),
                 .sim = {},
                 .run = {.seed = seed, .deadline = std::chrono::seconds(30)}};
  draw_network_faults(rng, plan.graph, plan.sim);
  draw_node_faults(rng, plan.graph, plan.sim);
  if (links == Links::raw) {
    if (rng.below(2) == 0) plan.sim.duplicate = rng.uniform(0, 0.2);
    plan.sim.reorder = rng.below(2) == 0;
  }
  if (rng.below(3) == 0) {
    plan.crashed = draw_node(rng, nodes);
    plan.sim.crashes.push_back({plan.crashed, milliseconds(rng.uniform(0, 500))});
  }
  if (rng.below(2) == 0) plan.run.lost_peers = LostPeers::proceed;
  return plan;
}

std::string FaultPlan::text() const {
  return fmt::format("CHOIR_SWEEP_SEED={}: --topology {} --lost-peers {} {}", seed, topology,
                     run.lost_peers == LostPeers::fail ? "fail" : "continue", describe(sim));
}

bool connected_without(const Graph& graph, NodeId node) {
  std::vector<Edge> kept;
  for (const Edge& edge : graph.edge_list()) {
    if (edge.a != node && edge.b != node) kept.push_back(edge);
  }
  // The node itself becomes a component of its own.
  return components(Graph::from_edges(graph.nodes(), kept)).sizes.size() == 2;
}

}  // namespace choir
