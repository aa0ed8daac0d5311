#include "choir/cli/online_resume.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/cli/json_text.h"

namespace choir::cli {
namespace {

// What must be the same for a run to go on from another's state; not how often it reads its data.
std::string identity_of(const OnlineArguments& arguments, const OnlineKernelOptions& method, Index nodes) {
  const FitOptions& fit = arguments.fit;
  const nlohmann::ordered_json json = {{"data", fit.data},
                                       {"labels", fit.labels},
                                       {"by", fit.by},
                                       {"select_labels", fit.select_labels},
                                       {"nodes", nodes},
                                       {"topology", fit.topology},
                                       {"random_state", fit.random_state},
                                       {"divide", fit.divide},
                                       {"standardize", fit.standardize},
                                       {"kernel", fit.kernel},
                                       {"gamma", fit.gamma},
                                       {"degree", fit.degree},
                                       {"coef0", fit.coef0},
                                       {"normalized", fit.normalized},
                                       {"loss", arguments.loss},
                                       {"huber_width", method.huber_width},
                                       {"consensus", arguments.consensus},
                                       {"classes", method.classes},
                                       {"eta", arguments.eta},
                                       {"epsilon", arguments.epsilon},
                                       {"batch", method.batch},
                                       {"lambda", method.lambda},
                                       {"max_atoms", method.max_atoms},
                                       {"penalty", method.penalty},
                                       {"penalty_doubling", method.penalty_doubling}};
  return json_text(json);
}

using Rounds = std::map<NodeId, std::uint64_t>;
using RoundsOfNodes = std::map<NodeId, std::vector<std::uint64_t>>;

// Samples of the nodes of this process whose streams had ended when their newest state was kept.
std::map<NodeId, std::uint64_t> ended_streams(const OnlineCheckpoint& states, const NodeRange& own) {
  std::map<NodeId, std::uint64_t> ended;
  for (NodeId node = own.first; node < own.last; ++node) {
    const std::vector<std::uint64_t> kept = states.rounds_of(node);
    if (kept.empty()) continue;
    const OnlineState newest = states.load(node, kept.back());
    if (newest.ended) ended[node] = newest.samples;
  }
  return ended;
}

// Those of them that have more samples now. Looked up in streams opened for it: looking is reading. Standard
// input cannot be opened twice; there the nodes refuse themselves.
std::set<NodeId> grown_streams(const OnlineCheckpoint& states, const OnlineArguments& arguments,
                               const OnlineKernelOptions& method, const NodeRange& own,
                               ProcessGroup& processes) {
  const auto ended = processes.together([&] { return ended_streams(states, own); });
  const std::vector<std::string> everywhere = processes.gather(ended.empty() ? "none" : "some");
  if (std::ranges::count(everywhere, "some") == 0 || arguments.fit.data == "-") return {};
  const OnlineData again = open_streams(arguments, method, processes);
  return processes.together([&] {
    std::set<NodeId> grown;
    for (const auto& [node, samples] : ended) {
      SampleStream& stream = *again.streams[static_cast<std::size_t>(node - own.first)];
      if (stream.skip(samples) == samples && stream.next(1)) grown.insert(node);
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
    std::erase_if(useful[node], [&](std::uint64_t round) { return states.load(node, round).ended; });
  }
  return useful;
}

// The newest round that all nodes of all processes have a state of.
std::optional<std::uint64_t> common_round(const RoundsOfNodes& useful, ProcessGroup& processes) {
  std::map<std::uint64_t, std::size_t> counts;
  for (const auto& [node, rounds] : useful) {
    for (const std::uint64_t round : rounds) ++counts[round];
  }
  std::string mine;
  for (const auto& [round, count] : counts) {
    if (count == useful.size()) mine += fmt::format("{},", round);
  }
  std::map<std::uint64_t, std::size_t> everywhere;
  // A process without nodes is content with any round.
  std::size_t asked = 0;
  for (const std::string& text : processes.gather(useful.empty() ? "any" : mine)) {
    if (text == "any") continue;
    ++asked;
    for (const std::string_view word : split(text, ',')) {
      if (const auto round = parse_integer(word)) ++everywhere[static_cast<std::uint64_t>(*round)];
    }
  }
  std::optional<std::uint64_t> newest;
  for (const auto& [round, count] : everywhere) {
    if (count == asked) newest = round;
  }
  return newest;
}

// The round that every node of this process goes on after; nothing if some node of the network has no state
// for it. Nodes that talk to each other must go on together, the others each from where it was.
std::optional<Rounds> rounds_to_resume(const RoundsOfNodes& useful, OnlineConsensus consensus,
                                       ProcessGroup& processes) {
  Rounds rounds;
  if (consensus != OnlineConsensus::none) {
    const std::optional<std::uint64_t> common = common_round(useful, processes);
    if (!common) return std::nullopt;
    for (const auto& [node, kept] : useful) rounds[node] = *common;
    return rounds;
  }
  for (const auto& [node, kept] : useful) {
    if (!kept.empty()) rounds[node] = kept.back();
  }
  const bool complete = rounds.size() == useful.size();
  for (const std::string& text : processes.gather(complete ? "all" : "not all")) {
    if (text != "all") return std::nullopt;
  }
  return rounds;
}

// The states of this process's nodes, and their streams where they were.
std::map<NodeId, OnlineState> resume(const OnlineCheckpoint& states, const Rounds& rounds, OnlineData& data) {
  std::map<NodeId, OnlineState> found;
  for (const auto& [node, round] : rounds) {
    OnlineState state = states.load(node, round);
    const auto place = static_cast<std::size_t>(node - data.own.first);
    if (data.streams[place]->skip(state.samples) != state.samples) {
      fail(ErrorCategory::BadData, "node {} had learned from {} samples, but its stream has fewer now", node,
           state.samples);
    }
    states.forget_after(node, round);
    found.emplace(node, std::move(state));
  }
  return found;
}

void refuse_to_resume(const OnlineCheckpoint& states, const std::string& folder) {
  if (states.is_empty()) {
    fail(ErrorCategory::InvalidArgument, "{} has no state to go on from; leave out --resume", folder);
  }
  fail(ErrorCategory::InvalidArgument,
       "{} has no state that all nodes can go on from, of before the end of every stream that has more now; "
       "begin anew in another --checkpoint folder",
       folder);
}

}  // namespace

Interruption prepare_states(const OnlineArguments& arguments, const OnlineKernelOptions& method,
                            OnlineData& data, ProcessGroup& processes, FitRun& run) {
  Interruption result;
  if (arguments.checkpoint.empty()) return result;
  const auto every =
      static_cast<std::uint64_t>(std::max<Index>(1, arguments.checkpoint_every / method.batch));
  processes.together([&] {
    result.states.emplace(arguments.checkpoint, identity_of(arguments, method, data.nodes),
                          OnlineCheckpoint::Rhythm{.every = every, .nodes = data.nodes});
    if (arguments.resume || result.states->is_empty()) return;
    fail(ErrorCategory::InvalidArgument,
         "{} has the state of another run; --resume goes on from it, or choose another folder",
         arguments.checkpoint);
  });
  if (!arguments.resume) return result;
  const OnlineCheckpoint& states = *result.states;
  const std::set<NodeId> grown = grown_streams(states, arguments, method, data.own, processes);
  const RoundsOfNodes useful = processes.together([&] { return useful_rounds(states, data.own, grown); });
  const std::optional<Rounds> rounds = rounds_to_resume(useful, method.consensus, processes);
  processes.together([&] {
    if (!rounds) refuse_to_resume(states, arguments.checkpoint);
    result.from = resume(states, *rounds, data);
  });
  if (processes.speaks() && !rounds->empty()) {
    run.note(fmt::format("goes on after round {}", rounds->begin()->second));
  }
  return result;
}

}  // namespace choir::cli
