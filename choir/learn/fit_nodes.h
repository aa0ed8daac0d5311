// How every method fits a network.
//
//   const NodeRange own = nodes_with(shards, "shards", engine, graph);
//   return fit_nodes<NodeResult>(engine, graph, contract, run,
//                                [&](Node& node) { return node_program(node, shards[...], options); });
#pragma once

#include <utility>

#include "choir/base/error.h"
#include "choir/graph/graph.h"
#include "choir/learn/fit.h"
#include "choir/linalg/blas.h"
#include "choir/runtime/contract.h"
#include "choir/runtime/engine.h"

namespace choir {

// run_nodes() for a method: the engine's threads are busy with nodes, so BLAS takes none beside them. Throws
// what the node programs throw.
template <class NodeResult, class MakeTask>
FitOf<NodeResult> fit_nodes(Engine& engine, const Graph& graph, const Contract& contract,
                            const RunOptions& run, MakeTask&& make_task) {
  const SingleThreadedBlas scope;
  auto outcome = run_nodes<NodeResult>(engine, graph, contract, run, std::forward<MakeTask>(make_task));
  return {.nodes = std::move(outcome.results), .report = std::move(outcome.report)};
}

// Throws Error(InvalidArgument) unless there is one thing for each of so many nodes.
template <class Things>
void require_one_each(const Things& things, const char* what, Index nodes) {
  if (static_cast<Index>(things.size()) == nodes) return;
  fail(ErrorCategory::InvalidArgument, "there are {} {} for {} nodes; give one for each", things.size(), what,
       nodes);
}

// The nodes of this process, each of which has one of the things; throws as above.
template <class Things>
NodeRange nodes_with(const Things& things, const char* what, Engine& engine, const Graph& graph) {
  const NodeRange own = engine.own_nodes(graph.nodes());
  require_one_each(things, what, own.size());
  return own;
}

}  // namespace choir
