// What an engine reports of a run, as parts of its result.
#pragma once

#include <string_view>

#include "choir/graph/graph.h"
#include "choir/run/result.h"
#include "choir/runtime/engine.h"

namespace choir {

// Ledger, lost peers, crashed nodes, what went wrong when, who sent how much to whom, and the simulator's
// clock.
void describe_report(const RunReport& report, const Graph& graph, std::string_view engine, Result& result);

// What nodes sent before the method's own program began.
void add_traffic(const Ledger& ledger, Result& result);

// Throws Error(PeerLost) if nodes crashed and the run was not to go on without them.
void require_no_crash(const RunReport& report, LostPeers policy);

}  // namespace choir
