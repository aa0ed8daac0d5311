#include "choir/runtime/memory_plan.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "choir/base/error.h"
#include "choir/base/text.h"

namespace choir {
namespace {

// Measured on the simulator: a cell with its frames and events, and each direction of a link.
constexpr std::uint64_t bytes_per_node = 1500;
constexpr std::uint64_t bytes_per_link = 250;

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max()
                                                           : a + b;
}

}  // namespace

MemoryPlan plan_memory(const Graph& graph, const Contract& contract, const NodeRange& own, int at_once) {
  MemoryPlan plan;
  plan.nodes = own.size();
  std::vector<std::uint64_t> scratch;
  for (NodeId node = own.first; node < own.last; ++node) {
    const auto degree = static_cast<std::uint64_t>(graph.degree(node));
    plan.engine_bytes += bytes_per_node + bytes_per_link * degree;
    const std::uint64_t kept = contract.memory ? contract.memory(node) : 0;
    scratch.push_back(contract.scratch ? contract.scratch(node) : 0);
    plan.method_bytes = saturating_add(plan.method_bytes, kept);
    const std::uint64_t bytes = saturating_add(kept, scratch.back());
    if (bytes > plan.largest_bytes) {
      plan.largest_bytes = bytes;
      plan.largest_node = node;
    }
  }
  std::sort(scratch.begin(), scratch.end(), std::greater<>());
  scratch.resize(std::min(scratch.size(), static_cast<std::size_t>(at_once)));
  for (const std::uint64_t bytes : scratch) plan.method_bytes = saturating_add(plan.method_bytes, bytes);
  plan.method_bytes =
      std::min(plan.method_bytes, std::numeric_limits<std::uint64_t>::max() - plan.engine_bytes);
  return plan;
}

std::string describe(const MemoryPlan& plan, std::uint64_t available) {
  const std::string most = plan.largest_bytes == 0
                               ? std::string()
                               : fmt::format(" (node {} the most, {})", plan.largest_node,
                                             human_bytes(static_cast<double>(plan.largest_bytes)));
  return fmt::format("{} nodes need {}{}, {} are available", plan.nodes,
                     human_bytes(static_cast<double>(plan.total())), most,
                     human_bytes(static_cast<double>(available)));
}

void require_memory(const MemoryPlan& plan, const std::string& method, std::uint64_t available) {
  if (plan.total() <= available) return;
  fail(ErrorCategory::OutOfMemory,
       "{}: {}; spread the nodes over more machines (--engine mpi), or make their shards smaller", method,
       describe(plan, available));
}

}  // namespace choir
