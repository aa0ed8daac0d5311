// What the tests of graphs share.
#pragma once

#include <vector>

#include "graph/expect_error.h"

#include "choir/graph/graph.h"

namespace choir {

using testing::expect_error;

inline std::vector<NodeId> neighbours_of(const Graph& graph, NodeId node) {
  const auto list = graph.neighbors(node);
  return {list.begin(), list.end()};
}

}  // namespace choir
