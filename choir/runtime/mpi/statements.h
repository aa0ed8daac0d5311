// What every rank says before and after a run, so that all come to the same conclusion.
//
//   agree_on_run(office, graph, contract, options, plan, trouble);   // throws the same on every rank
//   const std::vector<ClosingStatement> all = exchange(office, mine);
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "choir/runtime/memory_plan.h"
#include "choir/runtime/mpi/frames.h"
#include "choir/runtime/mpi/post_office.h"
#include "choir/runtime/run_end.h"

namespace choir {

// Checks that all ranks were asked for the same run, that none is in trouble, and that the nodes of each
// machine fit into its memory.
void agree_on_run(PostOffice& office, const Graph& graph, const Contract& contract, const RunOptions& options,
                  const MemoryPlan& plan, const std::optional<Error>& trouble);

// Of one rank, when nothing can happen any more on any of them.
struct ClosingStatement {
  bool own_doing = false;  // it has woken up meanwhile; see Termination
  Duration elapsed{};
  std::uint64_t rounds = 0;
  std::uint64_t stale = 0;
  std::uint64_t duplicates = 0;
  std::optional<Failure> failure;
  std::optional<Suspect> suspect;
  std::uint64_t lowest_waiting_round = 0;  // of the nodes that wait in one; Mailbox::never: none
  std::vector<PeerLoss> losses;

  template <class Visitor>
  void fields(Visitor& visit) {
    visit(own_doing, elapsed, rounds, stale, duplicates, failure, suspect, lowest_waiting_round, losses);
  }
};

std::vector<ClosingStatement> exchange(PostOffice& office, const ClosingStatement& mine);

}  // namespace choir
