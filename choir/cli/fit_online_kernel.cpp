#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/cli/fit_data.h"
#include "choir/cli/fit_engine.h"
#include "choir/cli/fit_methods.h"
#include "choir/cli/fit_network.h"
#include "choir/cli/fit_run.h"
#include "choir/cli/online_arguments.h"
#include "choir/cli/online_report.h"
#include "choir/cli/online_resume.h"
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

OnlineKernelFit run_plan(const OnlineKernelOptions& method, const Graph& graph, OnlineData& data,
                         const RunOptions& run, const Interruption& interruption, OnlineHistory& history,
                         Engine& engine) {
  OnlineHooks hooks;
  hooks.after_round = [&](const OnlineRound& round, const OnlineState& state) {
    history.add(round);
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
  result.extra["planned_memory_bytes"] =
      announce_memory(contract, graph, options, processes, run, "choose a smaller --max-atoms or --batch");
  const Interruption interruption = prepare_states(arguments, method, data, processes, run);
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
