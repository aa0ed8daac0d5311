// The graph that a topology in words stands for; always connected.
//
//   const Graph graph = make_topology("erdos:0.1", 100, seed);
//   const Graph fixed = make_topology("file:links.txt", 0, seed);      // as many nodes as the file has
//
// ring:k line grid torus complete star tree:b      see regular.h
// erdos:p barabasi:m geometric:r                   see random_graphs.h; only these use the seed
// file:PATH                                        see edge_list.h
#pragma once

#include <cstdint>
#include <string_view>

#include "choir/graph/graph.h"
#include "choir/graph/topology_spec.h"

namespace choir {

// Throws Error in one sentence: InvalidArgument for a spec or count that does not work, Io or BadData for
// a file, OutOfMemory for a graph that would not fit.
Graph make_topology(const TopologySpec& spec, Index nodes, std::uint64_t seed);
Graph make_topology(std::string_view spec, Index nodes, std::uint64_t seed);

}  // namespace choir
