#include "choir/cli/sim_arguments.h"

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/cli/parsed.h"
#include "choir/runtime/sim/sim_options.h"

namespace choir::cli {
namespace {

double parse_share(const char* option, const std::string& text) {
  const auto share = parse_number(text);
  if (!share || !(*share >= 0 && *share < 1)) {
    fail(ErrorCategory::InvalidArgument, "{} is '{}'; it must be a share of messages from 0 to less than 1",
         option, text);
  }
  return *share;
}

template <class Parse>
auto parsed_all(const char* option, const std::vector<std::string>& texts, Parse parse) {
  std::vector<decltype(parse(std::string_view()))> values;
  for (const std::string& text : texts) values.push_back(parsed(option, text, parse));
  return values;
}

void add_list(CLI::App& command, const char* name, std::vector<std::string>& values, const char* about,
              const std::string& group) {
  command.add_option(name, values, about)->delimiter(',')->allow_extra_args(false)->group(group);
}

}  // namespace

std::string SimArguments::first_said() const {
  if (!latency.empty()) return "--sim-latency";
  if (!loss.empty()) return "--sim-loss";
  if (!duplicate.empty()) return "--sim-duplicate";
  if (reorder) return "--sim-reorder";
  if (!crash.empty()) return "--sim-crash";
  if (!join.empty()) return "--sim-join";
  if (!partition.empty()) return "--sim-partition";
  if (!slow.empty()) return "--sim-slow";
  if (!trace.empty()) return "--sim-trace";
  return {};
}

SimOptions SimArguments::options() const {
  SimOptions options;
  if (!latency.empty()) options.latency = parsed("--sim-latency", latency, parse_latency);
  if (!loss.empty()) options.loss = parse_share("--sim-loss", loss);
  if (!duplicate.empty()) options.duplicate = parse_share("--sim-duplicate", duplicate);
  options.reorder = reorder;
  options.crashes = parsed_all("--sim-crash", crash, parse_node_time);
  options.joins = parsed_all("--sim-join", join, parse_node_time);
  options.partitions = parsed_all("--sim-partition", partition, parse_partition_fault);
  options.slow = parsed_all("--sim-slow", slow, parse_slow_node);
  return options;
}

void add_sim_options(CLI::App& command, SimArguments& arguments) {
  const std::string group = "Simulator (--engine sim)";
  command
      .add_option("--sim-latency", arguments.latency,
                  "how long messages take: 5ms, 1ms..5ms or 1ms+exp:2ms; 1ms if not said")
      ->group(group);
  command.add_option("--sim-loss", arguments.loss, "share of messages that get lost: 0.1")->group(group);
  command.add_option("--sim-duplicate", arguments.duplicate, "share of messages that arrive twice")
      ->group(group);
  command.add_flag("--sim-reorder", arguments.reorder, "messages may overtake each other")->group(group);
  add_list(command, "--sim-crash", arguments.crash, "a node that dies, and when: 3@10s; repeatable", group);
  add_list(command, "--sim-join", arguments.join, "a node that starts late: 7@5s; repeatable", group);
  add_list(command, "--sim-partition", arguments.partition,
           "nodes cut off from the others for a while: 2..5@10s..20s; repeatable", group);
  add_list(command, "--sim-slow", arguments.slow, "a slow node, and how many times: 4x10; repeatable", group);
  command.add_option("--sim-trace", arguments.trace, "a file for one line an event; kept if the run fails")
      ->group(group);
}

}  // namespace choir::cli
