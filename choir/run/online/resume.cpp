#include "choir/run/online/resume.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "choir/base/error.h"

namespace choir {
namespace {

using online_kernel::State;
using Rounds = std::map<NodeId, std::uint64_t>;
using RoundsOfNodes = std::map<NodeId, std::vector<std::uint64_t>>;

// Records of the nodes of this process whose streams had ended when their newest state was kept.
std::map<NodeId, std::uint64_t> ended_streams(const OnlineCheckpoint& states, const NodeRange& own) {
  std::map<NodeId, std::uint64_t> ended;
  for (NodeId node = own.first; node < own.last; ++node) {
    const std::vector<std::uint64_t> kept = states.rounds_of(node);
    if (kept.empty()) continue;
    const SavedState newest = states.load(node, kept.back());
    if (newest.state.ended) ended[node] = newest.records();
  }
  return ended;
}

// Those of them that have more samples now. Looked up in streams opened for it: looking is reading. What
// cannot be opened twice is not looked at; there the nodes refuse themselves.
std::set<NodeId> grown_streams(const OnlineCheckpoint& states, const OnlineSettings& settings,
                               MethodContext& context, const OnlineData& data) {
  ProcessGroup& processes = context.processes;
  const auto ended = processes.together([&] { return ended_streams(states, data.own); });
  const auto some_ended = processes.tell_all(Kind::facts, !ended.empty());
  const bool any = std::find(some_ended.begin(), some_ended.end(), true) != some_ended.end();
  if (!any || !data.can_be_opened_again) return {};
  const OnlineData again = open_streams(settings, context);
  return processes.together([&] {
    std::set<NodeId> grown;
    for (const auto& [node, records] : ended) {
      SampleStream& stream = *again.streams[static_cast<std::size_t>(node - data.own.first)];
      if (stream.skip(records) == records && stream.next(1)) grown.insert(node);
    }
    return grown;
  });
}

// Rounds of the states that may be gone on from.
RoundsOfNodes useful_rounds(const OnlineCheckpoint& states, const NodeRange& own,
                            const std::set<NodeId>& grown) {
  RoundsOfNodes useful;
  for (NodeId node = own.first; node < own.last; ++node) {
    useful[node] = states.rounds_of(node);
    if (!grown.contains(node)) continue;
    std::erase_if(useful[node], [&](std::uint64_t round) { return states.load(node, round).state.ended; });
  }
  return useful;
}

// Those that all these nodes have; nothing if there are no nodes, which are content with any round.
std::optional<std::vector<std::uint64_t>> shared_rounds(const RoundsOfNodes& useful) {
  if (useful.empty()) return std::nullopt;
  std::map<std::uint64_t, std::size_t> counts;
  for (const auto& [node, rounds] : useful) {
    for (const std::uint64_t round : rounds) ++counts[round];
  }
  std::vector<std::uint64_t> shared;
  for (const auto& [round, count] : counts) {
    if (count == useful.size()) shared.push_back(round);
  }
  return shared;
}

// The newest round that all nodes of all processes have a state of.
std::optional<std::uint64_t> common_round(const RoundsOfNodes& useful, ProcessGroup& processes) {
  RoundsOfNodes by_process;
  NodeId process = 0;
  for (auto& rounds : processes.tell_all(Kind::facts, shared_rounds(useful))) {
    if (rounds) by_process[process++] = std::move(*rounds);
  }
  const auto shared = shared_rounds(by_process);
  if (!shared || shared->empty()) return std::nullopt;
  return shared->back();
}

// The round that every node of this process goes on after; nothing if some node of the network has no state
// for it. Nodes that talk to each other must go on together, the others each from where it was.
std::optional<Rounds> rounds_to_resume(const RoundsOfNodes& useful, online_kernel::Consensus consensus,
                                       ProcessGroup& processes) {
  Rounds rounds;
  if (consensus != online_kernel::Consensus::none) {
    const std::optional<std::uint64_t> common = common_round(useful, processes);
    if (!common) return std::nullopt;
    for (const auto& [node, kept] : useful) rounds[node] = *common;
    return rounds;
  }
  for (const auto& [node, kept] : useful) {
    if (!kept.empty()) rounds[node] = kept.back();
  }
  for (const bool complete : processes.tell_all(Kind::facts, rounds.size() == useful.size())) {
    if (!complete) return std::nullopt;
  }
  return rounds;
}

[[noreturn]] void refuse_to_resume(const std::string& folder) {
  fail(ErrorCategory::InvalidArgument,
       "{} has no checkpoint that all nodes can continue from, taken before the end of every stream that has "
       "more samples now; begin anew in another --checkpoint folder",
       folder);
}

// Its end was not the end: all nodes are as if nobody had begun to agree on one.
void reopen(State& state, bool has_pipe) {
  const State open;
  if (has_pipe) state.ended = open.ended;
  state.stop_counter = open.stop_counter;
  state.stop_at = open.stop_at;
  if (!state.features || !state.features->finished) return;
  state.features->finished = false;
  state.features->next = state.round + 1;  // where they count who is there
}

OnlineCheckpoint open_folder(const OnlineSettings& settings, const OnlineData& data) {
  const auto every =
      static_cast<std::uint64_t>(std::max<Index>(1, settings.checkpoint_every / settings.method.batch));
  OnlineCheckpoint states(settings.checkpoint, online_identity(settings, data.nodes, data.classes.texts()),
                          {.every = every, .nodes = data.nodes});
  if (!settings.resume && !states.is_empty()) {
    fail(ErrorCategory::InvalidArgument,
         "{} has checkpoints of another run; use --resume to continue that run, or another folder",
         settings.checkpoint);
  }
  return states;
}

}  // namespace

void Interruption::resume(OnlineData& data) {
  for (NodeId node = data.own.first; node < data.own.last; ++node) {
    streams_[node] = data.streams[static_cast<std::size_t>(node - data.own.first)].get();
  }
  pipes_ = data.pipes;
  if (states && rounds.empty()) {
    for (NodeId node = data.own.first; node < data.own.last; ++node) states->forget_after(node, 0);
  }
  for (const auto& [node, round] : rounds) {
    SavedState saved = states->load(node, round);
    const std::uint64_t records = saved.records();
    const auto place = static_cast<std::size_t>(node - data.own.first);
    if (!data.pipes.contains(node) && data.streams[place]->skip(records) != records) {
      fail(ErrorCategory::BadData, "node {} had read {} records, but its stream has fewer now", node,
           records);
    }
    if (data.ends_on_interrupt) reopen(saved.state, data.pipes.contains(node));
    states->forget_after(node, round);
    from.emplace(node, std::move(saved));
  }
  if (states) keep_what_is_taken();
}

// The first node of a pipe answers for it.
void Interruption::keep_what_is_taken() {
  for (const auto& [first, pipe] : pipes_) {
    if (is_shared_with_an_earlier(first)) continue;
    std::uint64_t learned = 0;
    for (const auto& [node, saved] : from) {
      const auto its_pipe = pipes_.find(node);
      if (its_pipe != pipes_.end() && its_pipe->second == pipe) learned += saved.records();
    }
    pipe->keep_in(taken_file(states->folder(), first), {.learned = learned, .continues = continues});
  }
}

bool Interruption::is_shared_with_an_earlier(NodeId node) const {
  const auto own = pipes_.find(node);
  return std::any_of(pipes_.begin(), own, [&](const auto& other) { return other.second == own->second; });
}

std::uint64_t Interruption::bad_before(NodeId node, std::uint64_t samples) const {
  const auto earlier = from.find(node);
  const std::uint64_t before = earlier == from.end() ? 0 : earlier->second.bad_records;
  return before + streams_.at(node)->bad_before(samples);
}

void Interruption::keep(NodeId node, const State& state) const {
  const auto earlier = from.find(node);
  const std::uint64_t here = state.samples - (earlier == from.end() ? 0 : earlier->second.state.samples);
  states->keep(node, {.state = state, .bad_records = bad_before(node, here)});
}

void Interruption::look(NodeId node, const State& state, bool is_asked_for) const {
  if (!states) return;
  if (is_asked_for || states->is_due(state.round)) keep(node, state);
}

void Interruption::keep_last(NodeId node, const State& state) const {
  if (states && pipes_.contains(node)) keep(node, state);
}

StreamAccount Interruption::account_of(NodeId node) const {
  const auto pipe = pipes_.find(node);
  const bool answers = pipe != pipes_.end() && !is_shared_with_an_earlier(node);
  return {.node = node,
          .bad_records = bad_before(node, all_samples),
          .lost_samples = answers ? pipe->second->lost() : 0};
}

Interruption find_states(const OnlineSettings& settings, MethodContext& context, const OnlineData& data) {
  Interruption result;
  if (settings.checkpoint.empty()) return result;
  ProcessGroup& processes = context.processes;
  result.states.emplace(processes.together([&] { return open_folder(settings, data); }));
  result.continues = settings.resume;
  if (!settings.resume) return result;
  const OnlineCheckpoint& states = *result.states;
  const std::set<NodeId> grown = grown_streams(states, settings, context, data);
  const RoundsOfNodes useful = processes.together([&] { return useful_rounds(states, data.own, grown); });
  const std::optional<Rounds> rounds = rounds_to_resume(useful, settings.method.consensus, processes);
  const auto some_grown = processes.tell_all(Kind::facts, !grown.empty());
  processes.together([&] {
    if (!rounds && std::ranges::count(some_grown, true) > 0) refuse_to_resume(settings.checkpoint);
  });
  if (rounds) result.rounds = *rounds;
  if (!processes.speaks()) return result;
  context.note(result.rounds.empty()
                   ? fmt::format("{} has no checkpoint of all nodes: the run begins", settings.checkpoint)
                   : fmt::format("continues after round {}", rounds->begin()->second));
  return result;
}

}  // namespace choir
