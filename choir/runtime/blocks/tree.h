// The breadth-first tree, found by the nodes themselves.
//
//   const TreePlace place = co_await build_tree(node, 0);
//
// Node::tree() is the same tree for root 0, handed out by an engine that knows the whole network. This is for
// other roots, and for networks that nobody knows as a whole. Distances spread and improve until nothing
// changes; that this has happened is detected by counting acknowledgements (Dijkstra and Scholten). The tree
// is the same on every engine: the smallest neighbour among those one hop nearer is the parent. How many
// messages it takes depends on their timing.
#pragma once

#include "choir/runtime/node.h"
#include "choir/runtime/task.h"

namespace choir {

Task<TreePlace> build_tree(Node& node, NodeId root);

}  // namespace choir
