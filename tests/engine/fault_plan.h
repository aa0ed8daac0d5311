// A network and its faults, drawn from a seed.
#pragma once

#include <cstdint>
#include <string>

#include "choir/graph/graph.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/sim/sim_options.h"

namespace choir {

struct FaultPlan {
  std::uint64_t seed = 0;
  std::string topology;
  Graph graph;
  SimOptions sim;
  RunOptions run;
  NodeId crashed = -1;  // -1: nobody crashes

  bool crashes() const { return crashed >= 0; }
  std::string text() const;  // what to type to see it again
};

// Loss up to 20%, latencies that differ per link and message, a partition that heals, late joiners, slow
// nodes; in every third plan one node crashes. With raw links also duplicates and overtaking.
FaultPlan draw_fault_plan(std::uint64_t seed, Links links);

// Whether the network without one node is still connected.
bool connected_without(const Graph& graph, NodeId node);

}  // namespace choir
