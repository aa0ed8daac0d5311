#include "choir/experiment/gossip_pca/methods.h"

namespace choir {
namespace {

GossipMethod of_fixed_length(std::string name, Index q) {
  GossipMethod method{.name = std::move(name), .options = {}, .read = q};
  method.options.kernel.kind = KernelKind::linear;
  method.options.n_components.count = q;
  method.options.tol = 0;
  return method;
}

}  // namespace

GossipMethod default_gossip(Index q) { return of_fixed_length("default", q); }

GossipMethod printed_gossip(Index q) {
  GossipMethod method = of_fixed_length("printed", q);
  method.options.merge = gossip_pca::MergeRule::orthogonal_iterations;
  method.options.carry = q;
  return method;
}

GossipMethod diagonal_gossip(Index q) {
  GossipMethod method = printed_gossip(q);
  method.name = "printed, diag R";
  method.options.ritz_values = gossip_pca::RitzValues::diagonal;
  return method;
}

std::vector<std::string> names_of(const std::vector<GossipMethod>& methods) {
  std::vector<std::string> names;
  for (const GossipMethod& method : methods) names.push_back(method.name);
  return names;
}

SimOptions swift_network() {
  SimOptions network;
  network.latency.low = network.latency.high = std::chrono::microseconds(100);
  network.step_time = std::chrono::microseconds(1);
  return network;
}

}  // namespace choir
