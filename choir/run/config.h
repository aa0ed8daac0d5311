// Options from a TOML file, and the options of a run written as one.
//
//   std::vector<GivenOption> given = read_config("run.toml");
//   used_options(table, settings);                  // every option as it was used, by its key
//   config_text(table, settings, {{"gamma", "0.02"}});
//
// Keys are the options' names in one flat table: n_components = 10; dashes are read, too.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "choir/run/option.h"

namespace choir {

// Each with its line as origin. Throws Error(InvalidArgument) with the parser's own sentence for what is not
// TOML.
std::vector<GivenOption> read_config(const std::filesystem::path& path);

// Every option as it was used, by its key, as TOML writes it; those without a value are left out.
std::vector<std::pair<std::string, std::string>> used_options(const OptionTable& table,
                                                              const OptionTarget& target);

// The same as a file that --config reads. `resolved` holds values that the run chose itself (gamma = "median"
// became a number); they are written as comments beside the option as given.
std::string config_text(const OptionTable& table, const OptionTarget& target,
                        const std::map<std::string, std::string>& resolved);

// `call` with the options that were given, in a configuration file too, as a shell reads it:
//   given_command("choir fit local-kpca", table, settings)           choir fit local-kpca --data digits.npz
std::string given_command(std::string call, const OptionTable& table, const OptionTarget& target);

// One word for a shell, quoted if need be.
std::string quoted_for_shell(const std::string& word);

}  // namespace choir
