#include "choir/runtime/run_end.h"

#include <algorithm>
#include <tuple>

namespace choir {

// Among equals the node that does not wait in a synchronous round, then the lowest round, then the lowest id.
bool Suspect::more_to_blame_than(const Suspect& other) const {
  return std::tie(waits_in_round, round, node) < std::tie(other.waits_in_round, other.round, other.node);
}

std::optional<Suspect> find_suspect(const Cells& cells) {
  std::optional<Suspect> blamed;
  const NodeCell* its_cell = nullptr;
  for (const auto& cell : cells) {
    if (cell->ended()) continue;
    const Suspect suspect{cell->waiting_for() == WaitFor::round, cell->round(), cell->id(), {}};
    if (blamed && !suspect.more_to_blame_than(*blamed)) continue;
    blamed = suspect;
    its_cell = cell.get();
  }
  if (blamed) blamed->wait = its_cell->describe_wait();
  return blamed;
}

Error deadlock(const Contract& contract, const Suspect& blamed, Index unfinished, Index nodes) {
  return Error(ErrorCategory::PeerLost,
               fmt::format("{}: node {} {}, which no node will send; {} of {} nodes had not ended",
                           contract.method, blamed.node, blamed.wait, unfinished, nodes));
}

Index count_unfinished(const Cells& cells) {
  return std::count_if(cells.begin(), cells.end(), [](const auto& cell) { return !cell->ended(); });
}

std::optional<Error> find_deadlock(const Contract& contract, const Cells& cells) {
  const auto blamed = find_suspect(cells);
  if (!blamed) return std::nullopt;
  return deadlock(contract, *blamed, count_unfinished(cells), static_cast<Index>(cells.size()));
}

void throw_failure(const RunContext& run) {
  if (!run.failures.any()) return;
  try {
    std::rethrow_exception(run.failures.error());
  } catch (const Error& cause) {
    throw Error(cause.category(), fmt::format("node {}", run.failures.node()), cause);
  }
}

void add_to_report(const Cells& cells, RunReport& report) {
  for (const auto& cell : cells) {
    report.rounds = std::max(report.rounds, cell->round());
    report.losses.insert(report.losses.end(), cell->losses().begin(), cell->losses().end());
    report.stale_messages += cell->mailbox().stale();
    report.duplicate_messages += cell->mailbox().duplicates();
  }
}

}  // namespace choir
