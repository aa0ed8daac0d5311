// What every fit of a network needs: one thing for each node of this process, and each node's result.
//
//   require_one_each(shards, "shards", engine.own_nodes(graph.nodes()).size());
//   const gossip_pca::NodeResult& gossip_pca::Fit::at(NodeId node) const& { return result_of(nodes, node); }
#pragma once

#include <optional>
#include <vector>

#include "choir/base/error.h"
#include "choir/base/types.h"

namespace choir {

// Throws Error(InvalidArgument) if there are more or fewer.
template <class Things>
void require_one_each(const Things& things, const char* what, Index nodes) {
  if (static_cast<Index>(things.size()) == nodes) return;
  fail(ErrorCategory::InvalidArgument, "there are {} {} for {} nodes; give one for each", things.size(), what,
       nodes);
}

// Throws Error(InvalidArgument) if there is nothing.
template <class Result>
const Result& result_of(const std::vector<std::optional<Result>>& nodes, NodeId node) {
  const auto index = static_cast<std::size_t>(node);
  if (node < 0 || index >= nodes.size() || !nodes[index]) {
    fail(ErrorCategory::InvalidArgument,
         "node {} has no result here: it crashed, is in another process, or does not exist", node);
  }
  return *nodes[index];
}

}  // namespace choir
