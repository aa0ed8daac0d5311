// How a run ends, by one rule for every engine. For engines.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "choir/base/error.h"
#include "choir/runtime/cell.h"
#include "choir/runtime/engine.h"

namespace choir {

using Cells = std::vector<std::unique_ptr<NodeCell>>;

// Nothing can happen any more and some nodes have not ended: who is to blame. That is the node of the lowest
// round that does not wait in a synchronous round itself. Nothing if all have ended.
std::optional<Error> find_deadlock(const Contract& contract, const Cells& cells);

// Rethrows the failure that counts, if there is one.
void throw_failure(const RunContext& run);

// What the cells of one process add to a report. Sums over processes are the engine's.
void add_to_report(const Cells& cells, RunReport& report);

}  // namespace choir
