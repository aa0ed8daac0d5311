// The network of a run.
#pragma once

#include <string>

#include "choir/graph/graph.h"
#include "choir/run/context.h"
#include "choir/run/settings.h"

namespace choir {

// The topology that the settings name; the result says what "auto" came to stand for.
Graph make_network(const Settings& settings, Index nodes, MethodContext& context);
// The same with another meaning of "auto".
Graph make_network(const Settings& settings, Index nodes, MethodContext& context,
                   const std::string& automatic);

// For nodes that gossip: complete, or, for many, a random graph that mixes nearly as well.
std::string gossip_topology(Index nodes);
inline constexpr Index largest_complete = 64;
inline constexpr double gossip_degree = 20;

}  // namespace choir
