#include "choir/cli/network_facts.h"

#include <algorithm>
#include <map>
#include <utility>

namespace choir::cli {
namespace {

using Json = nlohmann::ordered_json;

std::uint64_t bytes_over(const Ledger& ledger, NodeId from, Index position) {
  std::uint64_t bytes = 0;
  for (const Kind kind : ledger.kinds().list()) bytes += ledger.link(from, position, kind).bytes;
  return bytes;
}

// The nodes in the order in which they are met from node 0 on: neighbours are near each other in it. Nodes
// that cannot be reached follow.
std::vector<NodeId> in_order_of_distance(const Graph& graph) {
  std::vector<NodeId> order;
  std::vector<bool> met(static_cast<std::size_t>(graph.nodes()), false);
  for (NodeId start = 0; start < graph.nodes(); ++start) {
    if (met[static_cast<std::size_t>(start)]) continue;
    std::size_t next = order.size();
    order.push_back(start);
    met[static_cast<std::size_t>(start)] = true;
    for (; next < order.size(); ++next) {
      for (const NodeId neighbor : graph.neighbors(order[next])) {
        if (met[static_cast<std::size_t>(neighbor)]) continue;
        met[static_cast<std::size_t>(neighbor)] = true;
        order.push_back(neighbor);
      }
    }
  }
  return order;
}

// Sums of what went between nodes, by the groups these belong to; the smaller group first.
class GroupedLinks {
 public:
  void add(Index from, Index to, std::uint64_t bytes) {
    if (from == to) return;
    auto& [there, back] = links_[{std::min(from, to), std::max(from, to)}];
    (from < to ? there : back) += bytes;
  }
  Json json() const {
    Json list = Json::array();
    for (const auto& [ends, bytes] : links_) {
      list.push_back({ends.first, ends.second, bytes.first, bytes.second});
    }
    return list;
  }

 private:
  std::map<std::pair<Index, Index>, std::pair<std::uint64_t, std::uint64_t>> links_;
};

Json links_between(const Graph& graph, const Ledger& ledger, const std::vector<Index>& group_of) {
  GroupedLinks links;
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const auto neighbors = graph.neighbors(node);
    for (std::size_t position = 0; position < neighbors.size(); ++position) {
      links.add(group_of[static_cast<std::size_t>(node)],
                group_of[static_cast<std::size_t>(neighbors[position])],
                bytes_over(ledger, node, static_cast<Index>(position)));
    }
  }
  return links.json();
}

Json groups_of(const Ledger& ledger, const std::vector<NodeId>& order, std::vector<Index>& group_of) {
  const auto nodes = static_cast<Index>(order.size());
  Json groups = Json::array();
  for (Index group = 0; group < drawn_groups; ++group) {
    const Index first = group * nodes / drawn_groups;
    const Index last = (group + 1) * nodes / drawn_groups;
    std::uint64_t sent = 0;
    Json members = Json::array();
    for (Index place = first; place < last; ++place) {
      const NodeId node = order[static_cast<std::size_t>(place)];
      group_of[static_cast<std::size_t>(node)] = group;
      sent += ledger.sent_by(node).bytes;
      members.push_back(node);
    }
    groups.push_back({{"nodes", last - first}, {"members", members}, {"sent", sent}});
  }
  return groups;
}

}  // namespace

Json network_facts(const Graph& graph, const Ledger& ledger) {
  Json facts = {{"nodes", graph.nodes()}};
  std::vector<Index> group_of(static_cast<std::size_t>(graph.nodes()));
  if (graph.nodes() > most_drawn_nodes || graph.edges() > most_drawn_links) {
    facts["groups"] = groups_of(ledger, in_order_of_distance(graph), group_of);
  } else {
    facts["sent"] = Json::array();
    for (NodeId node = 0; node < graph.nodes(); ++node) {
      group_of[static_cast<std::size_t>(node)] = node;
      facts["sent"].push_back(ledger.sent_by(node).bytes);
    }
  }
  facts["links"] = links_between(graph, ledger, group_of);
  return facts;
}

Json sent_by_kind(const Ledger& ledger) {
  Json kinds = Json::object();
  for (const Kind kind : ledger.kinds().list()) {
    if (ledger.total(kind).messages == 0) continue;
    Json bytes = Json::array();
    for (NodeId node = 0; node < ledger.nodes(); ++node) bytes.push_back(ledger.sent_by(node, kind).bytes);
    kinds[std::string(to_string(kind))] = std::move(bytes);
  }
  return kinds;
}

}  // namespace choir::cli
