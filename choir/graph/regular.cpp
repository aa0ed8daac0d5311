#include "choir/graph/regular.h"

#include <utility>

#include "choir/base/error.h"

namespace choir {
namespace {

class EdgeCollector {
 public:
  EdgeCollector(const char* what, Index nodes, double edges) : nodes_(nodes) {
    require_node_count(nodes);
    require_graph_memory(what, static_cast<double>(nodes), edges);
    edges_.reserve(static_cast<std::size_t>(edges));
  }
  void add(Index a, Index b) { edges_.push_back({static_cast<NodeId>(a), static_cast<NodeId>(b)}); }
  Graph graph() const { return Graph::from_edges(nodes_, edges_); }

 private:
  Index nodes_;
  std::vector<Edge> edges_;
};

void require_ring_degree(Index nodes, Index degree) {
  if (degree < 2 || degree % 2 != 0) {
    fail(
        ErrorCategory::InvalidArgument,
        "ring:{} is not possible: a ring has as many neighbours on each side, so give an even number such as "
        "ring:{}",
        degree, degree < 3 ? 2 : degree - 1);
  }
  if (degree >= nodes) {
    fail(ErrorCategory::InvalidArgument,
         "ring:{} needs at least {} nodes, but there are {}; give fewer neighbours or use complete", degree,
         degree + 1, nodes);
  }
}

// Links along a rectangle; `wrap` also links the two ends of every row and column.
Graph rectangle_graph(const char* what, Index nodes, bool wrap) {
  const auto [rows, columns] = near_square(nodes);
  EdgeCollector edges(what, nodes, 2 * static_cast<double>(nodes));
  for (Index row = 0; row < rows; ++row) {
    for (Index column = 0; column < columns; ++column) {
      const Index node = row * columns + column;
      if (column + 1 < columns) edges.add(node, node + 1);
      if (row + 1 < rows) edges.add(node, node + columns);
      if (wrap && column + 1 == columns && columns > 2) edges.add(node, row * columns);
      if (wrap && row + 1 == rows && rows > 2) edges.add(node, column);
    }
  }
  return edges.graph();
}

}  // namespace

Graph ring_graph(Index nodes, Index degree) {
  require_node_count(nodes);
  require_ring_degree(nodes, degree);
  const Index reach = degree / 2;
  EdgeCollector edges("a ring", nodes, static_cast<double>(nodes) * static_cast<double>(reach));
  for (Index node = 0; node < nodes; ++node) {
    for (Index step = 1; step <= reach; ++step) edges.add(node, (node + step) % nodes);
  }
  return edges.graph();
}

Graph line_graph(Index nodes) { return tree_graph(nodes, 1); }

Rectangle near_square(Index nodes) {
  require_node_count(nodes);
  Rectangle best{.rows = 1, .columns = nodes};
  for (Index rows = 2; rows * rows <= nodes; ++rows) {
    if (nodes % rows == 0) best = {.rows = rows, .columns = nodes / rows};
  }
  if (best.rows == 1 && nodes > 1) {
    fail(ErrorCategory::InvalidArgument,
         "{} nodes cannot be laid out as a rectangle because {} is a prime number; use {} nodes, or line or "
         "ring:2",
         nodes, nodes, nodes < 4 ? "4" : fmt::format("{} or {}", nodes - 1, nodes + 1));
  }
  return best;
}

Graph grid_graph(Index nodes) { return rectangle_graph("a grid", nodes, false); }

Graph torus_graph(Index nodes) { return rectangle_graph("a torus", nodes, true); }

Graph complete_graph(Index nodes) {
  const auto count = static_cast<double>(nodes);
  EdgeCollector edges("the complete graph", nodes, count * (count - 1) / 2);
  for (Index a = 0; a < nodes; ++a) {
    for (Index b = a + 1; b < nodes; ++b) edges.add(a, b);
  }
  return edges.graph();
}

Graph star_graph(Index nodes, NodeId hub) {
  EdgeCollector edges("a star", nodes, static_cast<double>(nodes));
  if (hub < 0 || hub >= nodes) {
    fail(ErrorCategory::InvalidArgument, "node {} cannot be the centre of a star: its nodes are 0 to {}", hub,
         nodes - 1);
  }
  for (Index node = 0; node < nodes; ++node) {
    if (node != hub) edges.add(hub, node);
  }
  return edges.graph();
}

Graph tree_graph(Index nodes, Index branching) {
  if (branching < 1) {
    fail(ErrorCategory::InvalidArgument,
         "tree:{} is not possible: every node needs room for at least one child, as in tree:2", branching);
  }
  EdgeCollector edges("a tree", nodes, static_cast<double>(nodes));
  for (Index node = 1; node < nodes; ++node) edges.add((node - 1) / branching, node);
  return edges.graph();
}

}  // namespace choir
