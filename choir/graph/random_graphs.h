// Topologies drawn from a seed; the same seed gives the same graph on every platform.
//
//   const Graph graph = erdos_graph(1000, 0.01, seed);
//
// Every graph is connected. A draw that is not is thrown away and the next round of the generator is
// tried, up to max_draws times; a draw in more than hopeless_parts pieces ends the attempts at once,
// because then its neighbours in seed will not be connected either. The error names a value that would
// likely work. Time and memory O(nodes + edges) a draw.
#pragma once

#include <cstdint>

#include "choir/graph/graph.h"

namespace choir {

inline constexpr int max_draws = 100;
inline constexpr int hopeless_parts = 30;

// Erdos-Renyi: every pair is linked with this probability, independently. 0 < probability <= 1.
Graph erdos_graph(Index nodes, double probability, std::uint64_t seed);

// Barabasi-Albert: a star of attachments + 1 nodes; then every new node is linked to that many distinct
// older ones, drawn in proportion to their degree. Always connected. 1 <= attachments < nodes.
Graph barabasi_graph(Index nodes, Index attachments, std::uint64_t seed);

// Nodes are uniform points of the unit square, linked if at most radius apart. radius > 0.
Graph geometric_graph(Index nodes, double radius, std::uint64_t seed);

// Parameters at which nearly every draw is connected; what the errors recommend.
double connecting_probability(Index nodes);
double connecting_radius(Index nodes);

}  // namespace choir
