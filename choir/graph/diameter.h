// The longest of all shortest paths, in hops: how many rounds news needs from one end to the other.
//
//   const Diameter d = diameter(graph);
//   if (!d.exact) ...                           // it lies between d.lower and d.upper
#pragma once

#include "choir/graph/graph.h"

namespace choir {

struct Diameter {
  Index lower = 0;
  Index upper = 0;
  bool exact = false;  // then lower == upper
};

struct DiameterOptions {
  // Steps (a node or a list entry looked at) after which the bounds found so far are returned: about a
  // second. Enough to be exact up to 5000 nodes with eight neighbours each, whatever their shape, and far
  // beyond on trees, stars, grids and random graphs.
  double max_steps = 4e8;
};

// Throws Error(InvalidArgument) if the graph is not connected.
Diameter diameter(const Graph& graph, const DiameterOptions& options = {});

}  // namespace choir
