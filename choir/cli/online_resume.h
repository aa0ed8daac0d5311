// How a run of online-kernel goes on from the states that an earlier one has kept.
//
//   const Interruption interruption = prepare_states(arguments, method, data, processes, run);
//   hooks.after_round = [&](const OnlineRound& round, const OnlineState& state) {
//     if (interruption.states) interruption.states->keep(round.node, state);
//   };
#pragma once

#include <map>
#include <optional>

#include "choir/cli/fit_run.h"
#include "choir/cli/online_arguments.h"
#include "choir/cli/online_checkpoint.h"
#include "choir/cli/online_streams.h"
#include "choir/cli/process_group.h"
#include "choir/learn/online_kernel/online_kernel.h"

namespace choir::cli {

struct Interruption {
  std::optional<OnlineCheckpoint> states;  // the folder, if one was asked for
  std::map<NodeId, OnlineState> from;      // of this process's nodes; empty: they begin
};

// The newest states that give the answer of a run without the interruption. A state of after the end of a
// stream does so only while the stream ends there: with more passes, or a file that has grown, its last batch
// would not have been its last. Then it is one of before the end. The streams of `data` are left where the
// states were. All processes call it. Throws Error(InvalidArgument) if there is no such state.
Interruption prepare_states(const OnlineArguments& arguments, const OnlineKernelOptions& method,
                            OnlineData& data, ProcessGroup& processes, FitRun& run);

}  // namespace choir::cli
