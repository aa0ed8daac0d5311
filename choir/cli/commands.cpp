#include "choir/cli/commands.h"

#include "choir/base/text.h"

namespace choir::cli {

CLI::App* add_command(CLI::App& parent, Session& session, const std::string& name, const std::string& about,
                      const std::string& example, Prints prints) {
  CLI::App* command = parent.add_subcommand(name, about);
  command->footer("Example:\n  " + example);
  command->option_defaults()->always_capture_default();
  command->add_flag("--quiet,-q", session.console.quiet, "no progress and no notes");
  if (prints == Prints::table)
    command->add_flag("--json", session.console.json, "print JSON instead of a table");
  return command;
}

CLI::Validator not_negative() {
  const auto check = [](const std::string& text) {
    const auto value = parse_integer(text);
    return value && *value >= 0 ? std::string() : "'" + text + "' is not a whole number from 0 on";
  };
  return CLI::Validator(check, "");
}

}  // namespace choir::cli
