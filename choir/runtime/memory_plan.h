// Memory is planned before it is used.
//
//   const MemoryPlan plan = plan_memory(graph, contract, engine.own_nodes(graph.nodes()), threads);
//   require_memory(plan, contract.method, available_memory());
#pragma once

#include <cstdint>
#include <string>

#include "choir/graph/graph.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/engine.h"

namespace choir {

struct MemoryPlan {
  Index nodes = 0;
  std::uint64_t engine_bytes = 0;   // mailboxes, ledger, frames
  std::uint64_t method_bytes = 0;   // what the contract declares, scratch of the largest nodes included
  std::uint64_t largest_bytes = 0;  // of one node, its scratch included
  NodeId largest_node = 0;
  std::uint64_t total() const { return engine_bytes + method_bytes; }  // saturates
};

// For the nodes that one process runs, `at_once` of them at a time.
MemoryPlan plan_memory(const Graph& graph, const Contract& contract, const NodeRange& own, int at_once);

// "20 nodes need 31.2 GiB (node 3 the most, 1.6 GiB), 22.0 GiB are available"
std::string describe(const MemoryPlan& plan, std::uint64_t available);

// Throws Error(OutOfMemory) if the plan does not fit.
void require_memory(const MemoryPlan& plan, const std::string& method, std::uint64_t available);

}  // namespace choir
