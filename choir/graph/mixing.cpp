#include "choir/graph/mixing.h"

#include <algorithm>

namespace choir {

std::span<const double> MetropolisWeights::links(const Graph& graph, NodeId node) const {
  return std::span(link).subspan(static_cast<std::size_t>(graph.offset(node)),
                                 static_cast<std::size_t>(graph.degree(node)));
}

MetropolisWeights metropolis_weights(const Graph& graph) {
  MetropolisWeights weights;
  weights.self.reserve(static_cast<std::size_t>(graph.nodes()));
  weights.link.reserve(2 * static_cast<std::size_t>(graph.edges()));
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    double given = 0;
    for (const NodeId other : graph.neighbors(node)) {
      const Index larger = std::max(graph.degree(node), graph.degree(other));
      weights.link.push_back(1.0 / static_cast<double>(1 + larger));
      given += weights.link.back();
    }
    weights.self.push_back(1 - given);
  }
  return weights;
}

}  // namespace choir
