// The commands of the program as tables: what a command is called, what it takes, what it does. Parsing,
// help, completion and the manual are made from them.
//
//   Command command{.name = "inspect", .about = "what is in a model or a run folder"};
//   command.takes = {{.name = "FILE", .help = "a model, or a run folder"}};
//   command.run = [](const Call& call, Session& session) { ... };
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "choir/cli/console.h"
#include "choir/cli/exit_code.h"
#include "choir/run/option.h"

namespace choir::cli {

struct Session {
  std::vector<std::string> arguments;  // of the command line, without the program
  ConsoleOptions console;
  ExitCode exit_code = ok;
};

// What was typed after the command's name.
struct Call {
  std::vector<GivenOption> options = {};
  std::vector<std::string> words = {};
};

struct Positional {
  std::string name;  // FILE
  std::string help;
  bool many = false;
  std::vector<std::string> choices = {};
};

struct Command {
  std::string name;  // "split"; what stands before it is in the tree
  std::string about;
  std::string example = {};
  std::vector<Positional> takes = {};
  OptionTable options = {};
  std::vector<Command> commands = {};  // instead of doing something itself
  std::string commands_are = "command";
  bool prints_table = false;  // and so has --json
  bool hidden = false;
  // Default values are shown as these have them.
  std::shared_ptr<const OptionTarget> defaults = std::make_shared<OptionTarget>();
  std::function<void(const Call& call, Session& session)> run = {};
};

// The whole program.
const Command& program();

Command data_command();
Command topology_command();
Command fit_command();
Command transform_command();
Command score_command();
Command predict_command();
Command report_command();
Command inspect_command();
Command version_command();
Command completion_command();
Command manual_command();
Command options_command();

// For commands with a struct of their own: sets what was given in it and requires what is needed.
template <class Arguments>
Arguments arguments_of(const OptionTable& table, const Call& call) {
  Arguments arguments;
  apply_options(table, call.options, arguments);
  require_options(table, arguments);
  return arguments;
}

// The options that every command has: --quiet, --help and, if it prints a table, --json.
OptionTable console_options(const Command& command);

}  // namespace choir::cli
