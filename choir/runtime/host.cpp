#include "choir/runtime/host.h"

#include <algorithm>

namespace choir {

LinkTable::LinkTable(const Graph& graph)
    : graph_(&graph), back_(static_cast<std::size_t>(graph.offset(static_cast<NodeId>(graph.nodes())))) {
  // Lists are ascending: visiting the nodes in order meets each list's entries in order, too.
  std::vector<std::int32_t> met(static_cast<std::size_t>(graph.nodes()), 0);
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    auto position = static_cast<std::size_t>(graph.offset(node));
    for (const NodeId other : graph.neighbors(node)) {
      back_[position++] = met[static_cast<std::size_t>(other)]++;
    }
  }
}

Link LinkTable::link(NodeId from, Index position) const {
  return {from, graph_->neighbors(from)[static_cast<std::size_t>(position)], position,
          back_[static_cast<std::size_t>(graph_->offset(from) + position)]};
}

Link LinkTable::link_between(NodeId from, NodeId to) const {
  const std::span<const NodeId> others = graph_->neighbors(from);
  return link(from, std::lower_bound(others.begin(), others.end(), to) - others.begin());
}

void FailureLog::add(std::uint64_t round, NodeId node, std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t known = round_.load(std::memory_order_relaxed);
  if (round > known || (round == known && node > node_)) return;
  node_ = node;
  error_ = std::move(error);
  round_.store(round, std::memory_order_release);
}

RunContext::RunContext(const Graph& the_graph, const Contract& the_contract, const RunOptions& the_options,
                       Host& the_host)
    : graph(the_graph),
      contract(the_contract),
      options(the_options),
      host(the_host),
      links(the_graph),
      tree(breadth_first_tree(the_graph, 0)),
      tree_height(*std::max_element(tree.depth.begin(), tree.depth.end())),
      ledger(the_graph, the_contract.kinds) {}

}  // namespace choir
