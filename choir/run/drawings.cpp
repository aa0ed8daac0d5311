#include "choir/run/drawings.h"

#include <algorithm>
#include <map>

namespace choir {
namespace {

std::uint64_t bytes_over(const Ledger& ledger, NodeId from, Index position) {
  std::uint64_t bytes = 0;
  for (const Kind kind : ledger.kinds().list()) bytes += ledger.link(from, position, kind).bytes;
  return bytes;
}

// Sums of what went between nodes, by the groups these belong to; the smaller group first.
class GroupedLinks {
 public:
  void add(Index from, Index to, std::uint64_t bytes) {
    if (from == to) return;
    auto& [there, back] = links_[{std::min(from, to), std::max(from, to)}];
    (from < to ? there : back) += bytes;
  }
  std::vector<NetworkDrawing::Link> list() const {
    std::vector<NetworkDrawing::Link> list;
    for (const auto& [ends, bytes] : links_)
      list.push_back({ends.first, ends.second, bytes.first, bytes.second});
    return list;
  }

 private:
  std::map<std::pair<Index, Index>, std::pair<std::uint64_t, std::uint64_t>> links_;
};

std::vector<NetworkDrawing::Link> links_between(const Graph& graph, const Ledger& ledger,
                                                const std::vector<Index>& group_of) {
  GroupedLinks links;
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const auto neighbors = graph.neighbors(node);
    for (std::size_t position = 0; position < neighbors.size(); ++position) {
      links.add(group_of[static_cast<std::size_t>(node)],
                group_of[static_cast<std::size_t>(neighbors[position])],
                bytes_over(ledger, node, static_cast<Index>(position)));
    }
  }
  return links.list();
}

// Blocks of neighbouring numbers, in order: in most topologies these are neighbours.
std::vector<NetworkDrawing::Group> groups_of(const Ledger& ledger, std::vector<Index>& group_of) {
  const Index nodes = ledger.nodes();
  std::vector<NetworkDrawing::Group> groups;
  for (Index group = 0; group < drawn_groups; ++group) {
    const Index first = group * nodes / drawn_groups;
    const Index last = (group + 1) * nodes / drawn_groups;
    groups.push_back({.nodes = last - first});
    for (Index node = first; node < last; ++node) {
      group_of[static_cast<std::size_t>(node)] = group;
      groups.back().sent += ledger.sent_by(static_cast<NodeId>(node)).bytes;
    }
  }
  return groups;
}

}  // namespace

NetworkDrawing draw_network(const Graph& graph, const Ledger& ledger) {
  NetworkDrawing drawing{.nodes = graph.nodes()};
  std::vector<Index> group_of(static_cast<std::size_t>(graph.nodes()));
  if (graph.nodes() > most_drawn_nodes || graph.edges() > most_drawn_links) {
    drawing.groups = groups_of(ledger, group_of);
  } else {
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      group_of[static_cast<std::size_t>(node)] = node;
      drawing.sent.push_back(ledger.sent_by(node).bytes);
    }
  }
  drawing.links = links_between(graph, ledger, group_of);
  return drawing;
}

}  // namespace choir
