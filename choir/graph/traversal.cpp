#include "choir/graph/traversal.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace choir {
namespace {

// "3 parts of 5, 2 and 1 nodes"; the largest few are enough to see what happened.
std::string describe_parts(std::vector<Index> sizes) {
  constexpr std::size_t shown = 5;
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  std::string text = fmt::format("{} parts of {}", sizes.size(), sizes[0]);
  for (std::size_t i = 1; i < std::min(sizes.size(), shown); ++i) {
    const bool last = i + 1 == sizes.size();
    text += fmt::format("{}{}", last ? " and " : ", ", sizes[i]);
  }
  return text + (sizes.size() > shown ? ", ... nodes" : " nodes");
}

}  // namespace

BreadthFirstSearch::BreadthFirstSearch(const Graph& graph)
    : graph_(graph),
      parents_(static_cast<std::size_t>(graph.nodes()), unreached),
      depths_(static_cast<std::size_t>(graph.nodes()), unreached) {
  order_.reserve(static_cast<std::size_t>(graph.nodes()));
}

void BreadthFirstSearch::run(NodeId root) {
  for (const NodeId visited : order_) {
    parents_[static_cast<std::size_t>(visited)] = unreached;
    depths_[static_cast<std::size_t>(visited)] = unreached;
  }
  order_.assign(1, root);
  parents_[static_cast<std::size_t>(root)] = root;
  depths_[static_cast<std::size_t>(root)] = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const NodeId node = order_[i];
    const std::int32_t depth = depths_[static_cast<std::size_t>(node)] + 1;
    for (const NodeId other : graph_.neighbors(node)) {
      auto& known = depths_[static_cast<std::size_t>(other)];
      if (known != unreached) continue;
      known = depth;
      parents_[static_cast<std::size_t>(other)] = node;
      order_.push_back(other);
    }
  }
}

Components components(const Graph& graph) {
  Components result;
  result.label.assign(static_cast<std::size_t>(graph.nodes()), BreadthFirstSearch::unreached);
  BreadthFirstSearch search(graph);
  for (NodeId root = 0; root < graph.nodes(); ++root) {
    if (result.label[static_cast<std::size_t>(root)] != BreadthFirstSearch::unreached) continue;
    search.run(root);
    for (const NodeId node : search.order()) {
      result.label[static_cast<std::size_t>(node)] = static_cast<NodeId>(result.sizes.size());
    }
    result.sizes.push_back(static_cast<Index>(search.order().size()));
  }
  return result;
}

void require_connected(const Graph& graph, std::string_view what, ErrorCategory category) {
  const Components parts = components(graph);
  if (parts.connected()) return;
  const auto outside =
      std::find_if(parts.label.begin(), parts.label.end(), [](NodeId part) { return part != 0; });
  fail(category,
       "{}: the graph is not connected, node {} cannot be reached from node 0 ({}); add links that join them",
       what, outside - parts.label.begin(), describe_parts(parts.sizes));
}

std::span<const NodeId> BreadthFirstTree::children(NodeId node) const {
  const auto place = static_cast<std::size_t>(rank[static_cast<std::size_t>(node)]);
  const auto first = static_cast<std::size_t>(first_child[place]);
  return std::span(order).subspan(first, static_cast<std::size_t>(first_child[place + 1]) - first);
}

BreadthFirstTree breadth_first_tree(const Graph& graph, NodeId root) {
  if (root < 0 || root >= graph.nodes()) {
    fail(ErrorCategory::InvalidArgument, "the tree cannot start at node {}; ids run from 0 to {}", root,
         graph.nodes() - 1);
  }
  BreadthFirstSearch search(graph);
  search.run(root);
  if (static_cast<Index>(search.order().size()) < graph.nodes()) {
    require_connected(graph, fmt::format("the breadth-first tree of node {}", root));
  }
  BreadthFirstTree tree;
  tree.root = root;
  tree.order.assign(search.order().begin(), search.order().end());
  tree.parent.assign(search.parents().begin(), search.parents().end());
  tree.depth.assign(search.depths().begin(), search.depths().end());
  tree.rank.resize(tree.order.size());
  for (std::size_t i = 0; i < tree.order.size(); ++i) {
    tree.rank[static_cast<std::size_t>(tree.order[i])] = static_cast<NodeId>(i);
  }
  // A node's children were appended one after the other, so counting them tells where they lie.
  tree.first_child.assign(tree.order.size() + 1, 0);
  for (std::size_t i = 1; i < tree.order.size(); ++i) {
    const NodeId parent = tree.parent[static_cast<std::size_t>(tree.order[i])];
    ++tree.first_child[static_cast<std::size_t>(tree.rank[static_cast<std::size_t>(parent)]) + 1];
  }
  tree.first_child[0] = 1;  // the root stands at 0
  std::partial_sum(tree.first_child.begin(), tree.first_child.end(), tree.first_child.begin());
  return tree;
}

}  // namespace choir
