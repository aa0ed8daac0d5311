// What an engine reports of a run, in the words of result.json.
#pragma once

#include <string>
#include <string_view>

#include "choir/graph/graph.h"
#include "choir/report/result.h"
#include "choir/runtime/engine.h"

namespace choir::cli {

// Ledger, lost peers, crashed nodes, what went wrong when (choir/report/page/README.md: faults,
// message_faults), and the simulator's clock.
void describe_run(const RunReport& report, std::string_view engine, RunResult& result);
// The same, and who sent how much to whom.
void describe_run(const RunReport& report, const Graph& graph, std::string_view engine, RunResult& result);

// Throws Error(PeerLost) if nodes crashed and the run was not to go on without them.
void require_no_crash(const RunReport& report, LostPeers policy);

}  // namespace choir::cli
