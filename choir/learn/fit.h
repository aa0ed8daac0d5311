// What a fit of a network returns: every node's result, and how the run went. A method says only what a node
// ends with.
//
//   const Graph graph = make_topology("ring:2", 5, 0);
//   const FitOf<double> fit = fit_nodes<double>(*engine, graph, {.method = "answers"}, {},
//                                               [](Node&) -> Task<double> { co_return 42; });
//   const double answer = fit.at(3);
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "choir/base/error.h"
#include "choir/base/types.h"
#include "choir/graph/graph.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/engine.h"

namespace choir {

template <class NodeResult>
struct FitOf {
  std::vector<std::optional<NodeResult>> nodes;  // J; nothing: crashed, or in another process
  RunReport report;

  // Throws Error(InvalidArgument) if there is nothing.
  const NodeResult& at(NodeId node) const& {
    const auto index = static_cast<std::size_t>(node);
    if (node < 0 || index >= nodes.size() || !nodes[index]) {
      fail(ErrorCategory::InvalidArgument,
           "node {} has no result here: it crashed, is in another process, or does not exist", node);
    }
    return *nodes[index];
  }
  const NodeResult& at(NodeId node) && = delete;
};

// run_nodes() for a method. Throws what the node programs throw.
template <class NodeResult, class MakeTask>
FitOf<NodeResult> fit_nodes(Engine& engine, const Graph& graph, const Contract& contract,
                            const RunOptions& run, MakeTask&& make_task) {
  auto outcome = run_nodes<NodeResult>(engine, graph, contract, run, std::forward<MakeTask>(make_task));
  return {.nodes = std::move(outcome.results), .report = std::move(outcome.report)};
}

// One thing for each node of this process. Throws Error(InvalidArgument) if there are more or fewer.
template <class Things>
void require_one_each(const Things& things, const char* what, Index nodes) {
  if (static_cast<Index>(things.size()) == nodes) return;
  fail(ErrorCategory::InvalidArgument, "there are {} {} for {} nodes; give one for each", things.size(), what,
       nodes);
}

}  // namespace choir
