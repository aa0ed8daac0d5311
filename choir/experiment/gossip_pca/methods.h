// What the experiments of gossip-pca run: choir's default and the paper's method, on a simulated network that
// is nearly as fast as the paper's, whose messages take no time.
//
//   const GossipMethod ours = default_gossip(10);
//   const GossipMethod theirs = printed_gossip(10);
#pragma once

#include <string>
#include <vector>

#include "choir/learn/gossip_pca/options.h"
#include "choir/runtime/sim/sim_options.h"

namespace choir {

struct GossipMethod {
  std::string name;
  gossip_pca::Options options;
  Index read = 0;  // q of E: how many of the carried directions answer
};

// Centred Gram merge, q directions and some more carried; a run of fixed length.
GossipMethod default_gossip(Index q);
// Orthogonal iterations, q directions carried, corrected where the printed algorithm cannot work.
GossipMethod printed_gossip(Index q);
// The same with eigenvalues read from the diagonal of R, as printed but for their signs.
GossipMethod diagonal_gossip(Index q);

std::vector<std::string> names_of(const std::vector<GossipMethod>& methods);

// A message takes a hundredth of the time between two of a node's, and a step of a node next to nothing.
SimOptions swift_network();

}  // namespace choir
