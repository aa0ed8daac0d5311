// How a run of online-kernel goes on from the states that an earlier one has kept.
//
//   Interruption interruption = find_states(settings, context, data);      // all processes
//   interruption.resume(data);                                             // each its own nodes
//   hooks.after_round = [&](const auto& round, const auto& state) { interruption.keep(round.node, state); };
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "choir/learn/online_kernel/online_kernel.h"
#include "choir/run/context.h"
#include "choir/run/online/checkpoint.h"
#include "choir/run/online/settings.h"
#include "choir/run/online/streams.h"

namespace choir {

struct Interruption {
  std::optional<OnlineCheckpoint> states = {};  // the folder, if one was asked for
  std::map<NodeId, std::uint64_t> rounds = {};  // that this process's nodes go on after; empty: they begin
  std::map<NodeId, online_kernel::State> from = {};  // their states, once they have resumed

  // Loads the states, and leaves the streams where these were. Throws Error(BadData) for streams that are
  // shorter now.
  void resume(OnlineData& data);
  void keep(NodeId node, const online_kernel::State& state) const {
    if (states) states->keep(node, state);
  }
};

// The newest states that give the answer of a run without the interruption. A state of after the end of a
// stream does so only while the stream ends there: with more passes, or a file that has grown, its last batch
// would not have been its last. Then it is one of before the end. All processes call it. Throws
// Error(InvalidArgument) if there is no such state, in all of them.
Interruption find_states(const OnlineSettings& settings, MethodContext& context, const OnlineData& data);

}  // namespace choir
