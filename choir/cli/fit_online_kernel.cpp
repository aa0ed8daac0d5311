#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/base/stopwatch.h"
#include "choir/base/text.h"
#include "choir/cli/fit_data.h"
#include "choir/cli/fit_engine.h"
#include "choir/cli/fit_methods.h"
#include "choir/cli/fit_network.h"
#include "choir/cli/fit_run.h"
#include "choir/cli/online_arguments.h"
#include "choir/cli/online_checkpoint.h"
#include "choir/cli/online_report.h"
#include "choir/cli/online_streams.h"
#include "choir/cli/run_report.h"
#include "choir/learn/online_kernel/online_kernel.h"

namespace choir::cli {
namespace {

OnlineKernelOptions make_plan(const OnlineArguments& arguments, FitRun& run) {
  check_network_options(arguments.fit);
  OnlineKernelOptions method = method_of(arguments);
  method.watch = run.quiet_watch();
  return method;
}

// What must be the same for a run to go on from another's state; not how often it reads its data.
std::string identity_of(const OnlineArguments& arguments, const OnlineKernelOptions& method, Index nodes) {
  const FitOptions& fit = arguments.fit;
  const Json json = {{"data", fit.data},
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
  return json.dump();
}

// The newest round that all nodes of all processes have a state of.
std::optional<std::uint64_t> common_round(const OnlineCheckpoint& states, const NodeRange& own,
                                          ProcessGroup& processes) {
  std::map<std::uint64_t, Index> counts;
  for (NodeId node = own.first; node < own.last; ++node) {
    for (const std::uint64_t round : states.rounds_of(node)) ++counts[round];
  }
  std::string mine;
  for (const auto& [round, count] : counts) {
    if (count == own.size()) mine += fmt::format("{},", round);
  }
  std::map<std::uint64_t, std::size_t> everywhere;
  // A process without nodes is content with any round.
  std::size_t asked = 0;
  for (const std::string& text : processes.gather(own.size() == 0 ? "any" : mine)) {
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
using Rounds = std::map<NodeId, std::uint64_t>;
std::optional<Rounds> rounds_to_resume(const OnlineCheckpoint& states, OnlineConsensus consensus,
                                       const NodeRange& own, ProcessGroup& processes) {
  Rounds rounds;
  if (consensus != OnlineConsensus::none) {
    const std::optional<std::uint64_t> common = common_round(states, own, processes);
    if (!common) return std::nullopt;
    for (NodeId node = own.first; node < own.last; ++node) rounds[node] = *common;
    return rounds;
  }
  for (NodeId node = own.first; node < own.last; ++node) {
    const std::vector<std::uint64_t> kept = states.rounds_of(node);
    if (!kept.empty()) rounds[node] = kept.back();
  }
  const bool complete = std::ssize(rounds) == own.size();
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
    found.emplace(node, std::move(state));
  }
  return found;
}

// The folder of states if one was asked for, and what to go on from.
struct Interruption {
  std::optional<OnlineCheckpoint> states;
  std::map<NodeId, OnlineState> from;
};

Interruption prepare(const OnlineArguments& arguments, const OnlineKernelOptions& method, OnlineData& data,
                     ProcessGroup& processes, FitRun& run) {
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
  const std::optional<Rounds> rounds =
      rounds_to_resume(*result.states, method.consensus, data.own, processes);
  processes.together([&] {
    if (!rounds) {
      fail(ErrorCategory::InvalidArgument,
           "{} has no state that all nodes can go on from; leave out --resume", arguments.checkpoint);
    }
    result.from = resume(*result.states, *rounds, data);
  });
  if (processes.speaks() && !rounds->empty()) {
    run.note(fmt::format("goes on after round {}", rounds->begin()->second));
  }
  return result;
}

// Progress of the first node of this process, as samples a second.
class Pace {
 public:
  Pace(const Watch& watch, NodeId node) : watch_(watch), node_(node) {}
  void tell(const OnlineRound& round) {
    if (round.node != node_) return;
    if (!first_) first_ = round.samples;
    const double rate = static_cast<double>(round.samples - *first_) / std::max(clock_.seconds(), 1e-9);
    watch_.report(fmt::format("{:.0f} samples a second at node {}, samples", rate, node_),
                  static_cast<Index>(round.samples), 0, round.loss);
  }

 private:
  const Watch& watch_;
  NodeId node_;
  Stopwatch clock_;
  std::optional<std::uint64_t> first_;
};

OnlineKernelFit run_plan(const OnlineKernelOptions& method, const Graph& graph, OnlineData& data,
                         const RunOptions& run, const Interruption& interruption, OnlineHistory& history,
                         Engine& engine) {
  Pace pace(method.watch, data.own.first);
  OnlineHooks hooks;
  hooks.after_round = [&](const OnlineRound& round, const OnlineState& state) {
    history.add(round);
    pace.tell(round);
    if (interruption.states) interruption.states->keep(round.node, state);
  };
  if (!interruption.from.empty()) {
    hooks.resume = [&](NodeId node) { return std::optional<OnlineState>(interruption.from.at(node)); };
  }
  OnlineKernelFit fit = fit_online_kernel(engine, graph, std::move(data.streams), method, run, hooks);
  require_no_crash(fit.report, run.lost_peers);
  return fit;
}

// Before the run, which would be in vain if they could not be read.
std::optional<TargetedSamples> read_test(const OnlineArguments& arguments, Loss loss, Index features) {
  if (arguments.test.empty()) return std::nullopt;
  const std::string& labels = arguments.test_labels.empty() ? arguments.fit.labels : arguments.test_labels;
  TargetedSamples test = read_targeted(arguments.test, labels, loss);
  if (test.samples.rows() != features) {
    fail(ErrorCategory::BadData, "{} has {} features but the streams have {}; test with the same columns",
         arguments.test, test.samples.rows(), features);
  }
  if (test.targets.size() != test.samples.cols()) {
    fail(ErrorCategory::BadData, "{} has no labels or values to test with; say where with --test-labels",
         arguments.test);
  }
  return test;
}

std::map<NodeId, double> test_nodes(const OnlineKernelFit& fit, const std::optional<TargetedSamples>& test,
                                    int threads) {
  std::map<NodeId, double> quality;
  for (const auto& node : fit.nodes) {
    if (!node || !test) continue;
    quality[node->node] = quality_of(machine_of(*node), test->samples, test->targets, threads);
  }
  return quality;
}

// What some of this process's nodes make of the plane, if their samples lie in one.
Json decisions_of(const OnlineKernelFit& fit) {
  constexpr Index most_nodes = 6;
  std::vector<const OnlineKernel*> answers;
  for (const auto& node : fit.nodes) {
    if (node) answers.push_back(&*node);
  }
  std::vector<NodeMachine> machines;
  for (const Index place : spread(std::ssize(answers), most_nodes)) {
    const OnlineKernel& answer = *answers[static_cast<std::size_t>(place)];
    machines.push_back({.node = answer.node, .machine = machine_of(answer)});
  }
  return decision_facts(machines);
}

void fit_online(CLI::App& command, const OnlineArguments& arguments, Session& session,
                ProcessGroup& processes) {
  const FitOptions& options = arguments.fit;
  FitRun run(command, options, session, processes);
  OnlineKernelOptions method = processes.together([&] { return make_plan(arguments, run); });
  OnlineData data = open_streams(arguments, method, processes);
  const std::stop_token interrupt = method.watch.stop;
  RunOptions engine_options = run.run_options();
  if (data.ends_on_interrupt) engine_options.watch.stop = method.watch.stop = {};  // the run is to finish
  method.classes = data.classes;
  const auto test = processes.together([&] {
    validate(method);
    return read_test(arguments, method.loss, data.features);
  });
  if (is_classification(method.loss))
    run.resolve("classes", fmt::format("{}", fmt::join(method.classes, ",")));
  const Graph graph = processes.together([&] { return make_network(options, data.nodes, run); });
  RunResult result;
  const Contract contract = online_kernel_contract({.graph = graph, .features = data.features}, method);
  result.extra["planned_memory_bytes"] = announce_memory(contract, graph, options, processes, run);
  const Interruption interruption = prepare(arguments, method, data, processes, run);
  OnlineHistory history;
  const OnlineKernelFit fit = processes.together([&] {
    return run_plan(method, graph, data, engine_options, interruption, history, processes.engine());
  });
  if (data.ends_on_interrupt && interrupt.stop_requested()) run.note("the stream was ended by an interrupt");
  const auto quality = processes.together([&] { return test_nodes(fit, test, options.threads); });

  result.nodes = data.nodes;
  result.features = data.features;
  describe_run(fit.report, graph, options.engine, result);
  const std::vector<Json> nodes =
      gather_nodes(numbers_of(fit, history, quality, interruption.from), processes);
  processes.together([&] {
    summarise_online(nodes, method, result);
    if (uses_gamma(method.kernel.kind)) run.resolve("gamma", nodes.front().at("gamma").dump());
    for (const Json& node : nodes) {
      for (const Json& line : round_lines(node)) run.record(line);
    }
    for (const auto& node : fit.nodes) {
      if (node) run.save(node->node, "own", machine_of(*node));
    }
    if (Json drawn = decisions_of(fit); !drawn.is_null()) result.extra["decision"] = std::move(drawn);
  });
  const std::vector<std::string> warnings = data.warnings->gathered(processes);
  result.notes.insert(result.notes.end(), warnings.begin(), warnings.end());
  run.finish(result, online_table);
}

}  // namespace

void add_fit_online_kernel(CLI::App& fit, Session& session) {
  CLI::App* command = add_command(
      fit, session, "online-kernel",
      "classifiers or regressions learned from streams, one at every node, with dictionaries that stay small",
      "choir fit online-kernel --data datasets/digits.npz:images --labels datasets/digits.npz:labels --by "
      "iid --nodes 5 "
      "--divide 255 --gamma 0.02 --out runs/online",
      Prints::table);
  auto arguments = std::make_shared<OnlineArguments>();
  add_online_options(*command, *arguments);
  command->callback([command, arguments, &session] {
    fit_on_engine(*command, arguments->fit, session, Network::some,
                  [&](ProcessGroup& processes) { fit_online(*command, *arguments, session, processes); });
  });
}

}  // namespace choir::cli
