// A graph in a few numbers, as `choir topology` prints them.
//
//   const GraphDescription about = describe(graph);
//   print(about.nodes, about.max_degree, about.diameter->lower, about.spectrum.spectral_gap);
#pragma once

#include <optional>

#include "choir/graph/diameter.h"
#include "choir/graph/graph.h"
#include "choir/graph/spectrum.h"

namespace choir {

struct GraphDescription {
  Index nodes = 0;
  Index edges = 0;
  Index min_degree = 0;
  double mean_degree = 0;
  Index max_degree = 0;
  Index components = 1;
  bool connected = true;
  std::optional<Diameter> diameter;  // absent if not connected
  SpectralSummary spectrum;          // empty if not connected
};

struct DescribeOptions {
  DiameterOptions diameter;
  SpectralOptions spectrum;
};

GraphDescription describe(const Graph& graph, const DescribeOptions& options = {});

}  // namespace choir
