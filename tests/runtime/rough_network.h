// A simulated network that does all it may do to raw links, short of losing a node.
#pragma once

#include "choir/runtime/sim/sim_options.h"

namespace choir::testing {

inline SimOptions rough_network() {
  SimOptions network;
  network.latency = parse_latency("1ms..20ms");
  network.loss = 0.2;
  network.duplicate = 0.2;
  network.reorder = true;
  return network;
}

}  // namespace choir::testing
