#include "choir/run/network.h"

#include <fmt/format.h>

#include "choir/graph/topology.h"

namespace choir {

Graph make_network(const Settings& settings, Index nodes, MethodContext& context) {
  return make_network(settings, nodes, context, settings.topology_for(nodes));
}

Graph make_network(const Settings& settings, Index nodes, MethodContext& context,
                   const std::string& automatic) {
  const std::string topology = settings.network.topology == "auto" ? automatic : settings.network.topology;
  context.resolve("topology", topology);
  return make_topology(topology, nodes, settings.engine.random_state);
}

// Nodes of a complete graph keep something for every other.
std::string gossip_topology(Index nodes) {
  if (nodes <= largest_complete) return "complete";
  return fmt::format("erdos:{:.2g}", gossip_degree / static_cast<double>(nodes));
}

}  // namespace choir
