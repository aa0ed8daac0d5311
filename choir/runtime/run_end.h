// How a run ends, by one rule for every engine. For engines.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "choir/base/error.h"
#include "choir/runtime/cell.h"
#include "choir/runtime/engine.h"

namespace choir {

using Cells = std::vector<std::unique_ptr<NodeCell>>;

// Nothing can happen any more and some nodes have not ended: who is to blame. That is the node of the lowest
// round that does not wait in a synchronous round itself. Nothing if all have ended.
struct Suspect {
  bool waits_in_round = false;
  std::uint64_t round = 0;
  NodeId node = 0;
  std::string wait;  // "waits for node 3 in round 12"
  bool more_to_blame_than(const Suspect& other) const;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(waits_in_round, round, node, wait);
  }
};
std::optional<Suspect> find_suspect(const Cells& cells);
Error deadlock(const Contract& contract, const Suspect& blamed, Index unfinished, Index nodes);
Index count_unfinished(const Cells& cells);

// The same for an engine that has all nodes in one process.
std::optional<Error> find_deadlock(const Contract& contract, const Cells& cells);

// Rethrows the failure that counts, if there is one.
void throw_failure(const RunContext& run);

// What the cells of one process add to a report. Sums over processes are the engine's.
void add_to_report(const Cells& cells, RunReport& report);

}  // namespace choir
