#include "choir/runtime/run_end.h"

#include <algorithm>

namespace choir {
namespace {

// Among equals the node that does not wait in a synchronous round, then the lowest id.
bool more_to_blame(const NodeCell& a, const NodeCell& b) {
  const bool a_free = a.waiting_for() != WaitFor::round;
  const bool b_free = b.waiting_for() != WaitFor::round;
  if (a_free != b_free) return a_free;
  return a.round() != b.round() ? a.round() < b.round() : a.id() < b.id();
}

}  // namespace

std::optional<Error> find_deadlock(const Contract& contract, const Cells& cells) {
  const NodeCell* blamed = nullptr;
  Index unfinished = 0;
  for (const auto& cell : cells) {
    if (cell->ended()) continue;
    ++unfinished;
    if (blamed == nullptr || more_to_blame(*cell, *blamed)) blamed = cell.get();
  }
  if (blamed == nullptr) return std::nullopt;
  return Error(ErrorCategory::PeerLost,
               fmt::format("{}: node {} {}, which nobody will send; {} of {} nodes had not ended",
                           contract.method, blamed->id(), blamed->describe_wait(), unfinished, cells.size()));
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
