// How a run of online-kernel goes on from the states that an earlier one has kept.
//
//   Interruption interruption = find_states(settings, context, data);      // all processes
//   interruption.resume(data);                                             // each its own nodes
//   interruption.look(node, state);                                        // after every round
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "choir/learn/online_kernel/online_kernel.h"
#include "choir/run/context.h"
#include "choir/run/online/checkpoint.h"
#include "choir/run/online/settings.h"
#include "choir/run/online/stream_accounts.h"
#include "choir/run/online/streams.h"
#include "choir/run/online/taken_samples.h"

namespace choir {

struct Interruption {
  std::optional<OnlineCheckpoint> states = {};  // the folder, if one was asked for
  bool continues = false;                       // an earlier run, if there was one
  std::map<NodeId, std::uint64_t> rounds = {};  // that this process's nodes go on after; empty: they begin
  std::map<NodeId, SavedState> from = {};       // their states, once they have resumed

  // Loads the states, and leaves files where these were; pipes go on with what comes. Throws Error(BadData)
  // for files that are shorter now.
  void resume(OnlineData& data);
  // Keeps the state after a round if it is due, or asked for.
  void look(NodeId node, const online_kernel::State& state, bool is_asked_for) const;
  // After the last round: a pipe may bring more to a later run.
  void keep_last(NodeId node, const online_kernel::State& state) const;

  StreamAccount account_of(NodeId node) const;

 private:
  void keep(NodeId node, const online_kernel::State& state) const;
  void keep_what_is_taken();
  bool is_shared_with_an_earlier(NodeId node) const;  // its pipe, with a node before it
  // Before the samples that it gave to a node of these.
  std::uint64_t bad_before(NodeId node, std::uint64_t samples) const;

  std::map<NodeId, const SampleStream*> streams_ = {};
  std::map<NodeId, std::shared_ptr<TakenSamples>> pipes_ = {};
};

// The newest states that give the answer of a run without the interruption. A state of after the end of a
// stream does so only while the stream ends there: with more passes, or a file that has grown, its last batch
// would not have been its last. Then it is one of before the end. Where nodes have no state in common they
// begin anew, with a note. All processes call it. Throws Error(InvalidArgument) if a stream has grown and
// there is no state of before its end, in all of them.
Interruption find_states(const OnlineSettings& settings, MethodContext& context, const OnlineData& data);

}  // namespace choir
