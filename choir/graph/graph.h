// Who talks to whom: an undirected graph on nodes 0 .. J-1.
//
//   const std::vector<Edge> links = {{0, 1}, {1, 2}};
//   const Graph graph = Graph::from_edges(3, links);
//   for (NodeId other : graph.neighbors(1)) ...            // 0, 2
//
// Every Graph is symmetric, without self-links and without double links, its lists sorted: there is no
// other way to build one. It may be disconnected; see traversal.h. Memory: 4 bytes per entry, 8 per node.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "choir/base/types.h"

namespace choir {

struct Edge {
  NodeId a = 0;
  NodeId b = 0;
  friend bool operator==(const Edge&, const Edge&) = default;
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

class Graph {
 public:
  // The order of the edges and of their ends does not matter; an edge given twice counts once.
  // Throws Error(InvalidArgument) for less than one node, an id out of range or a self-link.
  static Graph from_edges(Index nodes, std::span<const Edge> edges);

  // lists[j] holds the neighbours of node j, in any order.
  // Throws Error(InvalidArgument) as above, and if a link is listed on one side only.
  static Graph from_neighbor_lists(std::span<const std::vector<NodeId>> lists);

  Index nodes() const { return static_cast<Index>(offsets_.size()) - 1; }
  Index edges() const { return static_cast<Index>(neighbors_.size()) / 2; }
  Index degree(NodeId node) const { return offset(node + 1) - offset(node); }
  // Ascending, without the node itself.
  std::span<const NodeId> neighbors(NodeId node) const;
  bool linked(NodeId a, NodeId b) const;
  // Every edge once, a < b, ascending.
  std::vector<Edge> edge_list() const;

  // All lists lie one after the other; this is where a node's begins. offset(J) is their total length,
  // so an array with one entry per direction of a link can run beside them.
  Index offset(NodeId node) const { return offsets_[static_cast<std::size_t>(node)]; }

  friend bool operator==(const Graph&, const Graph&) = default;

 private:
  Graph(std::vector<Index> offsets, std::vector<NodeId> neighbors);

  std::vector<Index> offsets_;     // J + 1
  std::vector<NodeId> neighbors_;  // 2 * edges
};

// A link {a, b} that a lists but b does not, if there is one. Ids must be in range.
std::optional<Edge> find_one_sided_link(std::span<const std::vector<NodeId>> lists);

// Throws Error(OutOfMemory) if a graph of this size does not fit; `what` begins the sentence.
void require_graph_memory(const char* what, double nodes, double edges);

// Throws Error(InvalidArgument) unless 1 <= nodes <= the largest NodeId.
void require_node_count(Index nodes);

}  // namespace choir
