// What a fit of a network returns: every node's result, and how the run went. A method says only what a node
// ends with.
//
//   const FitOf<double> fit = {.nodes = {0.5, {}}, .report = report};
//   const double first = fit.at(0);                     // fit.at(1) throws Error(InvalidArgument)
#pragma once

#include <optional>
#include <vector>

#include "choir/base/error.h"
#include "choir/base/types.h"
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

}  // namespace choir
