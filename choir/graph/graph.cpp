#include "choir/graph/graph.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "choir/base/error.h"
#include "choir/base/memory.h"
#include "choir/base/text.h"

namespace choir {
namespace {

void require_valid_link(Index nodes, NodeId a, NodeId b) {
  for (const NodeId id : {a, b}) {
    if (id < 0 || id >= nodes) {
      fail(ErrorCategory::InvalidArgument, "the link {}-{} names node {}, but ids run from 0 to {}", a, b, id,
           nodes - 1);
    }
  }
  if (a == b) {
    fail(ErrorCategory::InvalidArgument, "node {} is linked to itself; omit self-links", a);
  }
}

// Sorts every list, drops repeated entries and closes the gaps that they leave.
void tidy_lists(std::vector<Index>& offsets, std::vector<NodeId>& neighbors) {
  Index kept = 0;
  for (std::size_t j = 0; j + 1 < offsets.size(); ++j) {
    const auto first = neighbors.begin() + offsets[j];
    auto last = neighbors.begin() + offsets[j + 1];
    if (!std::is_sorted(first, last)) std::sort(first, last);
    last = std::unique(first, last);
    offsets[j] = kept;
    kept = std::copy(first, last, neighbors.begin() + kept) - neighbors.begin();
  }
  offsets.back() = kept;
  neighbors.resize(static_cast<std::size_t>(kept));
}

}  // namespace

Graph::Graph(std::vector<Index> offsets, std::vector<NodeId> neighbors)
    : offsets_(std::move(offsets)), neighbors_(std::move(neighbors)) {}

Graph Graph::from_edges(Index nodes, std::span<const Edge> edges) {
  require_node_count(nodes);
  // Counting sort: while the lists are filled, next[j + 1] is the place of j's next entry, and in the end
  // that is where the list of j + 1 begins.
  std::vector<Index> next(static_cast<std::size_t>(nodes) + 2, 0);
  for (const auto [a, b] : edges) {
    require_valid_link(nodes, a, b);
    ++next[static_cast<std::size_t>(a) + 2];
    ++next[static_cast<std::size_t>(b) + 2];
  }
  for (std::size_t j = 1; j < next.size(); ++j) next[j] += next[j - 1];
  std::vector<NodeId> neighbors(2 * edges.size());
  const auto append = [&](NodeId to, NodeId other) {
    neighbors[static_cast<std::size_t>(next[static_cast<std::size_t>(to) + 1]++)] = other;
  };
  for (const auto [a, b] : edges) {
    append(a, b);
    append(b, a);
  }
  next.pop_back();
  tidy_lists(next, neighbors);
  return Graph(std::move(next), std::move(neighbors));
}

Graph Graph::from_neighbor_lists(std::span<const std::vector<NodeId>> lists) {
  const auto nodes = static_cast<Index>(lists.size());
  require_node_count(nodes);
  std::vector<Index> offsets = {0};
  std::vector<NodeId> neighbors;
  for (std::size_t j = 0; j < lists.size(); ++j) {
    for (const NodeId other : lists[j]) require_valid_link(nodes, static_cast<NodeId>(j), other);
    neighbors.insert(neighbors.end(), lists[j].begin(), lists[j].end());
    offsets.push_back(static_cast<Index>(neighbors.size()));
  }
  if (const auto link = find_one_sided_link(lists)) {
    fail(ErrorCategory::InvalidArgument,
         "the graph is not symmetric: node {} lists node {} but node {} does not list node {}; links go both "
         "ways",
         link->a, link->b, link->b, link->a);
  }
  tidy_lists(offsets, neighbors);
  return Graph(std::move(offsets), std::move(neighbors));
}

std::span<const NodeId> Graph::neighbors(NodeId node) const {
  return std::span(neighbors_)
      .subspan(static_cast<std::size_t>(offset(node)), static_cast<std::size_t>(degree(node)));
}

bool Graph::linked(NodeId a, NodeId b) const {
  const auto list = neighbors(a);
  return std::binary_search(list.begin(), list.end(), b);
}

std::vector<Edge> Graph::edge_list() const {
  std::vector<Edge> list;
  list.reserve(static_cast<std::size_t>(edges()));
  for (NodeId a = 0; a < nodes(); ++a) {
    for (const NodeId b : neighbors(a)) {
      if (a < b) list.push_back({a, b});
    }
  }
  return list;
}

std::optional<Edge> find_one_sided_link(std::span<const std::vector<NodeId>> lists) {
  std::vector<Edge> directed;
  for (std::size_t j = 0; j < lists.size(); ++j) {
    for (const NodeId other : lists[j]) directed.push_back({static_cast<NodeId>(j), other});
  }
  std::sort(directed.begin(), directed.end());
  for (const auto [a, b] : directed) {
    if (!std::binary_search(directed.begin(), directed.end(), Edge{b, a})) return Edge{a, b};
  }
  return std::nullopt;
}

void require_graph_memory(const char* what, double nodes, double edges) {
  // While a graph is built its edges exist twice: as pairs and as two list entries each.
  const double bytes = 16 * nodes + edges * (sizeof(Edge) + 2 * sizeof(NodeId));
  const auto available = static_cast<double>(available_memory());
  if (bytes > available) {
    fail(ErrorCategory::OutOfMemory,
         "{} on {:.0f} nodes has about {:.3g} links and needs {}, but {} are available; choose fewer nodes "
         "or a sparser topology",
         what, nodes, edges, human_bytes(bytes), human_bytes(available));
  }
}

void require_node_count(Index nodes) {
  if (nodes < 1 || nodes > std::numeric_limits<NodeId>::max()) {
    fail(ErrorCategory::InvalidArgument, "a graph cannot have {} nodes; give a number from 1 to {}", nodes,
         std::numeric_limits<NodeId>::max());
  }
}

}  // namespace choir
