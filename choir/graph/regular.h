// Topologies that are the same every time. Each takes O(nodes + edges) time and memory.
//
//   const Graph ring = ring_graph(20, 4);        // two neighbours on each side
//
// All throw Error(InvalidArgument), in one sentence, for a count they cannot serve, and
// Error(OutOfMemory) before they start on something that does not fit.
#pragma once

#include "choir/graph/graph.h"

namespace choir {

// Node j is linked to the degree / 2 nodes on each side; degree is even, at least 2 and below nodes.
Graph ring_graph(Index nodes, Index degree);

// 0 - 1 - 2 - ...
Graph line_graph(Index nodes);

// Rows x columns of a rectangle with exactly that many nodes, as near to a square as its divisors allow:
// 12 is 3 x 4. Throws for a prime number of nodes, of which no rectangle can be made.
struct Rectangle {
  Index rows = 1;
  Index columns = 1;
};
Rectangle near_square(Index nodes);

// Node row * columns + column is linked to the nodes above, below, left and right of it.
Graph grid_graph(Index nodes);

// A grid whose opposite borders are linked. A side of two nodes has one link, not two.
Graph torus_graph(Index nodes);

Graph complete_graph(Index nodes);

// The hub is linked to all others.
Graph star_graph(Index nodes, NodeId hub = 0);

// Node j > 0 hangs below node (j - 1) / branching: levels are filled from left to right.
Graph tree_graph(Index nodes, Index branching);

}  // namespace choir
