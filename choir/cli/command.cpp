#include "choir/cli/command.h"

#include <algorithm>

namespace choir::cli {
namespace {

struct ConsoleTarget : OptionTarget {
  bool quiet = false;
  bool json = false;
  bool help = false;
  bool help_all = false;
};

}  // namespace

OptionTable console_options(const Command& command) {
  OptionTable table;
  OptionGroup<ConsoleTarget> group(table, "Output");
  group.add("quiet", &ConsoleTarget::quiet, "no progress and no notes").about_the_call();
  if (command.prints_table) {
    group.add("json", &ConsoleTarget::json, "print JSON instead of a table").about_the_call().in_short_help();
  }
  group.add("help", &ConsoleTarget::help, "this page").about_the_call().in_short_help();
  const bool has_more = std::any_of(command.options.rows().begin(), command.options.rows().end(),
                                    [](const OptionRow& row) { return row.common; });
  if (has_more)
    group.add("help-all", &ConsoleTarget::help_all, "all options").about_the_call().in_short_help();
  return table;
}

const Command& program() {
  static const Command root = [] {
    Command command{.name = "choir", .about = "kernel learning in unison, without a conductor"};
    command.commands = {fit_command(),     transform_command(),  score_command(),  predict_command(),
                        report_command(),  inspect_command(),    data_command(),   topology_command(),
                        version_command(), completion_command(), manual_command(), options_command()};
    return command;
  }();
  return root;
}

}  // namespace choir::cli
