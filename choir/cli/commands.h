// The commands of the program. Each adds itself to the application; its callback does the work and leaves
// the exit code in the session.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "choir/cli/console.h"
#include "choir/cli/exit_code.h"

namespace choir::cli {

struct Session {
  std::vector<std::string> arguments;  // of the command line, without the program
  ConsoleOptions console;
  std::filesystem::path unfinished;  // a folder to remove if the run is ended around this process
  ExitCode exit_code = ok;
};

void add_data_commands(CLI::App& app, Session& session);
void add_topology_command(CLI::App& app, Session& session);
void add_fit_command(CLI::App& app, Session& session);
void add_transform_command(CLI::App& app, Session& session);
void add_predict_command(CLI::App& app, Session& session);
void add_score_command(CLI::App& app, Session& session);
void add_inspect_command(CLI::App& app, Session& session);
void add_report_command(CLI::App& app, Session& session);
void add_version_command(CLI::App& app, Session& session);

// A subcommand with --quiet and, if it prints a table, --json.
enum class Prints { table, nothing };
CLI::App* add_command(CLI::App& parent, Session& session, const std::string& name, const std::string& about,
                      const std::string& example, Prints prints);

// For options that count something; CLI11's own sentence prints the largest double in full.
CLI::Validator not_negative();

}  // namespace choir::cli
