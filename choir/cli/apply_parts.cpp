#include "choir/cli/apply_parts.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/choices.h"
#include "choir/cli/fit_engine.h"
#include "choir/cli/fit_network.h"
#include "choir/cli/gossip_arguments.h"
#include "choir/cli/part_files.h"
#include "choir/cli/run_report.h"
#include "choir/data/writer.h"
#include "choir/graph/topology.h"
#include "choir/learn/parts/projection.h"

namespace choir::cli {
namespace {

constexpr const char* parts_group = "Models in parts (--model 'RUN/model-{node}.npz')";

enum class Agree { tree, gossip };
constexpr ChoiceNames<Agree, 2> agreements = {{{Agree::tree, "tree"}, {Agree::gossip, "gossip"}}};

// Which parts there are. They are in one place, as a run leaves them.
std::vector<Index> agreed_numbers(const std::string& pattern, ProcessGroup& processes) {
  const std::vector<Index> numbers = processes.together([&] { return find_parts(pattern); });
  const std::vector<std::string> seen = processes.gather(fmt::format("{}", fmt::join(numbers, ",")));
  processes.together([&] {
    if (std::all_of(seen.begin(), seen.end(), [&](const auto& each) { return each == seen.front(); })) return;
    fail(ErrorCategory::Io,
         "the ranks do not see the same parts {}; they must be on a file system that all ranks share",
         pattern);
  });
  return numbers;
}

Graph network_of(const ApplyArguments& arguments, Agree agree, Index nodes) {
  const FitOptions& options = arguments.run;
  const bool automatic = options.topology == "auto" && agree == Agree::gossip;
  const std::string topology =
      automatic ? automatic_topology(Schedule::random, nodes) : options.topology_for(nodes);
  return make_topology(topology, nodes, options.random_state);
}

ProjectionOptions projection_of(const ApplyArguments& arguments, Agree agree) {
  if (agree == Agree::tree) return {};
  GossipOptions gossip;
  gossip.messages = arguments.messages;
  return {.gossip = gossip};
}

void warn_of_missing(const std::vector<Index>& missing, Console& console) {
  if (missing.empty()) return;
  console.warn(fmt::format(
      "there is no part of node{} {}: the answer is the best that the coordinates of the others allow",
      missing.size() == 1 ? "" : "s", fmt::join(missing, ", ")));
}

// With --lost-peers continue.
void warn_of_lost(const RunReport& report, Console& console) {
  std::vector<NodeId> lost = report.crashed;
  for (const PeerLoss& loss : report.losses) lost.push_back(loss.peer);
  std::sort(lost.begin(), lost.end());
  lost.erase(std::unique(lost.begin(), lost.end()), lost.end());
  if (lost.empty()) return;
  console.warn(fmt::format("lost on the way: node{} {}; the answer lacks coordinates of theirs",
                           lost.size() == 1 ? "" : "s", fmt::join(lost, ", ")));
}

std::string traffic_words(const RunReport& report, const FitOptions& options, Index nodes) {
  RunResult result;
  result.nodes = nodes;
  describe_run(report, options.engine, result);
  return sent_words(result);
}

// The first node that has an answer; its process writes it.
NodeId first_with_answer(const Outcome<PartedAnswer>& outcome, ProcessGroup& processes) {
  Json own = Json::array();
  for (std::size_t node = 0; node < outcome.results.size(); ++node) {
    if (outcome.results[node]) own.push_back(node);
  }
  return gather_nodes(own, processes).front().get<NodeId>();
}

void project_and_write(const ApplyArguments& arguments, Session& session, PartsQuestion question,
                       ProcessGroup& processes) {
  const FitOptions& options = arguments.run;
  Console console({.quiet = session.console.quiet || !processes.speaks()});
  const Agree agree = processes.together([&] { return parse_choice(agreements, "agree", arguments.agree); });
  const std::vector<Index> numbers = agreed_numbers(arguments.model, processes);
  const auto nodes = static_cast<Index>(numbers.size());
  OwnParts own = processes.together([&] {
    return read_own_parts(
        {.model = arguments.model, .data = options.data, .use = arguments.use, .key = arguments.key}, numbers,
        processes.engine().own_nodes(nodes));
  });
  const std::vector<std::string> facts = processes.gather(facts_of(own));
  const PartsSummary summary = processes.together([&] { return check_parts(facts, numbers); });
  const Graph graph = processes.together([&] { return network_of(arguments, agree, nodes); });
  const Outcome<PartedAnswer> outcome = processes.together([&] {
    const RunOptions run = options.run_options(console.watch());
    auto projected =
        project_coordinates(processes.engine(), graph, std::move(own.parts), std::move(own.samples),
                            projection_of(arguments, agree), run, std::move(own.orders));
    require_no_crash(projected.report, run.lost_peers);
    return projected;
  });
  const auto writer = static_cast<std::size_t>(first_with_answer(outcome, processes));
  const std::string written = processes.together([&] {
    if (!outcome.results[writer]) return std::string();
    const Matrix answer = question(*outcome.results[writer]);
    write_matrix(options.out, answer);
    return fmt::format("{} x {} values in {}", answer.rows(), answer.cols(), options.out);
  });
  const std::vector<std::string> words = processes.gather(written);
  if (!processes.speaks()) return;
  warn_of_missing(summary.missing, console);
  warn_of_lost(outcome.report, console);
  for (const std::string& each : words) {
    if (!each.empty()) console.note(each);
  }
  console.note(traffic_words(outcome.report, options, nodes));
}

}  // namespace

void add_parts_options(CLI::App& command, ApplyArguments& arguments) {
  add_engine_options(command, arguments.run, parts_group);
  command
      .add_option(
          "--agree", arguments.agree,
          "how the nodes add up: tree, or gossip, which needs no reliable links and ends with estimates")
      ->group(parts_group);
  command
      .add_option(
          "--key", arguments.key,
          "a column of csv files, by name or number, or a file of whole numbers (keys-{node}.npy): who each "
          "sample is; nodes whose samples are not the same in the same order are refused before anything "
          "else is sent")
      ->group(parts_group);
  command.add_option("--messages-per-node", arguments.messages, "with --agree gossip")
      ->check(not_negative())
      ->group(parts_group);
  add_network_options(
      command, arguments.run,
      {.automatic_topology = "as for fit gossip-pca; with --agree tree ring:4, or complete for "
                             "less than 5 nodes",
       .yardsticks = ""});
}

void refuse_parts_options(const CLI::App& command) {
  const std::string& of_every_model = command.get_option("--model")->get_group();
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group() == of_every_model || option->count() == 0) continue;
    fail(ErrorCategory::InvalidArgument,
         "{} is for models in parts, --model 'RUN/model-{{node}}.npz'; leave it out for a single model",
         option->get_name());
  }
}

void apply_parts(const ApplyArguments& arguments, Session& session, PartsQuestion question) {
  run_on_engine(arguments.run, session,
                [&](ProcessGroup& processes) { project_and_write(arguments, session, question, processes); });
}

}  // namespace choir::cli
