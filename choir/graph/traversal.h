// Walks over a graph: components, and the breadth-first tree that sums and broadcasts travel along.
//
//   require_connected(graph, "ring.txt");                   // throws, and names a node out of reach
//   const auto tree = breadth_first_tree(graph, 0);
//   for (NodeId child : tree.children(node)) ...
#pragma once

#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "choir/base/error.h"
#include "choir/graph/graph.h"

namespace choir {

// Hops from a root, with the arrays kept between searches: O(nodes + edges) each, no allocation.
class BreadthFirstSearch {
 public:
  static constexpr NodeId unreached = -1;

  explicit BreadthFirstSearch(const Graph& graph);

  // Visits what the root can reach; every node's former answer is forgotten.
  void run(NodeId root);

  std::span<const NodeId> order() const { return order_; }          // as visited: by depth, then by parent
  std::span<const NodeId> parents() const { return parents_; }      // J; the root's is itself
  std::span<const std::int32_t> depths() const { return depths_; }  // J; hops, or unreached
  std::int32_t eccentricity() const { return depths_[static_cast<std::size_t>(order_.back())]; }

 private:
  const Graph& graph_;
  std::vector<NodeId> order_;
  std::vector<NodeId> parents_;
  std::vector<std::int32_t> depths_;
};

struct Components {
  std::vector<NodeId> label;  // J; components are numbered by their smallest node
  std::vector<Index> sizes;
  bool connected() const { return sizes.size() == 1; }
};
Components components(const Graph& graph);

// Throws Error(category) that begins with `what`, names a node that node 0 cannot reach, and the sizes.
void require_connected(const Graph& graph, std::string_view what,
                       ErrorCategory category = ErrorCategory::InvalidArgument);

struct BreadthFirstTree {
  NodeId root = 0;
  std::vector<NodeId> order;        // J; the root first, every parent before its children
  std::vector<NodeId> parent;       // J; the root's is itself
  std::vector<std::int32_t> depth;  // J; hops to the root
  std::vector<NodeId> first_child;  // J + 1; where the children of order[i] begin in order

  std::span<const NodeId> children(NodeId node) const;
  std::vector<NodeId> rank;  // J; the inverse of order
};

// Among the shortest ways to the root a node takes the one whose next hop was visited first; neighbours
// are visited in ascending order. Throws Error(InvalidArgument) if the root does not exist or does not
// reach every node.
BreadthFirstTree breadth_first_tree(const Graph& graph, NodeId root);

}  // namespace choir
