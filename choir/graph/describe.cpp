#include "choir/graph/describe.h"

#include <algorithm>

#include "choir/graph/traversal.h"

namespace choir {

GraphDescription describe(const Graph& graph, const DescribeOptions& options) {
  GraphDescription about;
  about.nodes = graph.nodes();
  about.edges = graph.edges();
  about.min_degree = about.max_degree = graph.degree(0);
  for (NodeId node = 1; node < graph.nodes(); ++node) {
    about.min_degree = std::min(about.min_degree, graph.degree(node));
    about.max_degree = std::max(about.max_degree, graph.degree(node));
  }
  about.mean_degree = 2 * static_cast<double>(graph.edges()) / static_cast<double>(graph.nodes());
  about.components = static_cast<Index>(components(graph).sizes.size());
  about.connected = about.components == 1;
  if (about.connected) {
    about.diameter = diameter(graph, options.diameter);
    about.spectrum = spectral_summary(graph, options.spectrum);
  }
  return about;
}

}  // namespace choir
