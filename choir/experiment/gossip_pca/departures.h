// What crash and join share: digits sorted over the nodes, so that the last tenth of the nodes has a digit
// that no other node has, and that tenth comes or goes.
#pragma once

#include <string>
#include <vector>

#include "choir/experiment/gossip_pca/convergence.h"

namespace choir {

inline constexpr Index departure_components = 10;

Index departure_nodes(const ExperimentOptions& options);
// The default, but carries four times the components, as nodes that see different things need.
GossipMethod departure_method();

// The last tenth of the nodes, all at that time.
std::vector<NodeTime> last_tenth(Index nodes, Duration at);

struct Departure {
  std::string name;  // of the series
  GossipMethod method;
  SimOptions sim;
};

// (E - E*) / E* against messages a node, once against all samples and once against those of the first nine
// tenths.
Measurements measure_departures(const ExperimentOptions& options, const std::string& stage,
                                const std::vector<Departure>& departures, double messages);

LineChart departure_chart(const Measurements& seen, const std::string& title, const std::string& quantity,
                          const std::vector<Departure>& departures);

inline constexpr const char* against_all = "excess, against all samples";
inline constexpr const char* against_rest = "excess, against those of the other nodes";

}  // namespace choir
