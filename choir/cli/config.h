// Options from a TOML file, and the options of a run written as one.
//
//   apply_config(*subcommand, "run.toml");         // the command line wins
//   resolved_config(*subcommand);                  // every option as it was used; can be given to --config
//
// Keys are the long options without dashes, in one flat table: n-components = 10.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace choir::cli {

// Throws Error(InvalidArgument) naming file, line and key for what is no option of this command, and the
// parser's own sentence for what is no TOML.
void apply_config(CLI::App& command, const std::filesystem::path& path);

// Every option as it was used, by its long name, as TOML writes it; those without a value are left out.
std::vector<std::pair<std::string, std::string>> used_options(const CLI::App& command);

// `call` with the options that were given, in a configuration file too, as a shell reads it:
//   given_command("choir fit local-kpca", *subcommand)             choir fit local-kpca --data digits.npz
std::string given_command(std::string call, const CLI::App& command);

// `resolved` holds values that the run chose itself (gamma = "median" became a number); they are written
// as comments beside the option as given.
std::string resolved_config(const CLI::App& command, const std::map<std::string, std::string>& resolved);

}  // namespace choir::cli
