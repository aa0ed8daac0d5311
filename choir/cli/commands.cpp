#include "choir/cli/commands.h"

namespace choir::cli {

CLI::App* add_command(CLI::App& parent, Session& session, const std::string& name, const std::string& about,
                      const std::string& example, Prints prints) {
  CLI::App* command = parent.add_subcommand(name, about);
  command->footer("Example:\n  " + example);
  command->option_defaults()->always_capture_default();
  command->add_flag("--quiet,-q", session.console.quiet, "no progress and no notes");
  if (prints == Prints::table) command->add_flag("--json", session.console.json, "print JSON instead of a table");
  return command;
}

}  // namespace choir::cli
