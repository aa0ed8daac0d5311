#include "choir/cli/split_arguments.h"

#include <algorithm>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/run/method.h"

namespace choir::cli {
namespace {

std::vector<std::string> names_of(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) {
    if (!command.hidden) names.push_back(command.name);
  }
  return names;
}

bool asks_for_help(const std::string& word) {
  return word == "--help" || word == "-h" || word == "--help-all";
}

// The command that the first words name, and how many words that took.
std::size_t find_command(const std::vector<std::string>& words, Parsed& parsed) {
  std::size_t used = 0;
  while (!parsed.command().commands.empty() && used < words.size() && !words[used].starts_with('-')) {
    const std::vector<Command>& commands = parsed.command().commands;
    const auto found = std::find_if(commands.begin(), commands.end(),
                                    [&](const Command& command) { return command.name == words[used]; });
    if (found == commands.end()) {
      fail(ErrorCategory::InvalidArgument, "there is no {} '{}'{}; see {} --help",
           parsed.command().commands_are, words[used], did_you_mean(words[used], names_of(commands)),
           full_name(parsed.path));
    }
    parsed.path.push_back(&*found);
    ++used;
  }
  return used;
}

std::string spellings(const OptionRow& row) {
  std::string names = (row.name == "quiet" ? "-q,--" : row.name == "help" ? "-h,--" : "--") + row.name;
  return row.key() == row.name ? names : names + ",--" + row.key();
}

// CLI11 splits; values stay texts.
void add_row(CLI::App& app, const OptionRow& row, std::map<std::string, std::vector<std::string>>& values) {
  if (row.flag) {
    app.add_flag_callback(spellings(row), [&values, name = row.name] { values[name] = {"true"}; });
    return;
  }
  CLI::Option* option = app.add_option(spellings(row), values[row.name]);
  option->type_size(1)->allow_extra_args(false);
  option->expected(1);
  if (row.list) option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void refuse_unknown(const std::vector<std::string>& extras, const OptionTable& options,
                    const OptionTable& console, const std::vector<const Command*>& path) {
  for (const std::string& word : extras) {
    if (!word.starts_with("-")) continue;
    std::vector<std::string> names = options.names();
    for (const std::string& name : console.names()) names.push_back(name);
    for (std::string& name : names) name.insert(0, "--");
    const std::string typed = word.substr(0, word.find('='));
    const std::string elsewhere =
        methods_with(typed.substr(std::min(typed.find_first_not_of('-'), typed.size())));
    fail(ErrorCategory::InvalidArgument, "{} is not an option of {}{}; see {} --help", typed, full_name(path),
         elsewhere.empty() ? did_you_mean(typed, names) : elsewhere, full_name(path));
  }
}

// "--n-components --out run": a value was forgotten, and the next option was taken for it.
void refuse_options_as_values(const OptionRow& row, const std::vector<std::string>& values,
                              const std::vector<const Command*>& path) {
  for (const std::string& value : values) {
    if (!value.starts_with("--")) continue;
    fail(ErrorCategory::InvalidArgument, "--{} needs a value, but {} comes next; see {} --help", row.name,
         value, full_name(path));
  }
}

void take_positionals(const std::vector<std::string>& words, Parsed& parsed) {
  const std::vector<Positional>& takes = parsed.command().takes;
  const bool many = !takes.empty() && takes.back().many;
  const std::string help = full_name(parsed.path) + " --help";
  if (words.size() < takes.size()) {
    fail(ErrorCategory::InvalidArgument, "{} is missing: name {}; see {}", takes[words.size()].name,
         takes[words.size()].help, help);
  }
  if (words.size() > takes.size() && !many) {
    fail(ErrorCategory::InvalidArgument, "'{}' is one word too many for {}; see {}", words[takes.size()],
         full_name(parsed.path), help);
  }
  for (std::size_t i = 0; i < takes.size(); ++i) {
    const std::vector<std::string>& choices = takes[i].choices;
    if (choices.empty() || std::find(choices.begin(), choices.end(), words[i]) != choices.end()) continue;
    fail(ErrorCategory::InvalidArgument, "{} is '{}'; it must be one of {}", takes[i].name, words[i],
         fmt::join(choices, ", "));
  }
  parsed.call.words = words;
}

void split_options(std::vector<std::string> words, Parsed& parsed) {
  const Command& command = parsed.command();
  const OptionTable console = console_options(command);
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::map<std::string, std::vector<std::string>> values;
  for (const OptionRow& row : command.options.rows()) add_row(app, row, values);
  for (const OptionRow& row : console.rows()) add_row(app, row, values);
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  try {
    app.parse(words);
  } catch (const CLI::ArgumentMismatch& error) {  // "--out: At Most 1 required but received 2"
    const std::string complaint = error.what();
    fail(ErrorCategory::InvalidArgument, "{} {}; see {} --help", complaint.substr(0, complaint.find(':')),
         complaint.ends_with("missing") ? "needs a value" : "is given more than once",
         full_name(parsed.path));
  } catch (const CLI::ParseError& error) {
    fail(ErrorCategory::InvalidArgument, "{}; see {} --help", error.what(), full_name(parsed.path));
  }
  const std::vector<std::string> extras = app.remaining();
  refuse_unknown(extras, command.options, console, parsed.path);
  for (const OptionRow& row : command.options.rows()) {
    refuse_options_as_values(row, values[row.name], parsed.path);
    if (!values[row.name].empty())
      parsed.call.options.push_back({.name = row.name, .values = values[row.name]});
  }
  parsed.console = {.quiet = !values["quiet"].empty(), .json = !values["json"].empty()};
  take_positionals(extras, parsed);
}

}  // namespace

std::string full_name(const std::vector<const Command*>& path) {
  std::string name;
  for (const Command* command : path) name += (name.empty() ? "" : " ") + command->name;
  return name;
}

Parsed split_arguments(const std::vector<std::string>& words) {
  Parsed parsed{.path = {&program()}};
  const std::size_t used = find_command(words, parsed);
  const std::vector<std::string> rest(words.begin() + static_cast<std::ptrdiff_t>(used), words.end());
  parsed.help = std::any_of(rest.begin(), rest.end(), asks_for_help);
  parsed.help_all = std::find(rest.begin(), rest.end(), "--help-all") != rest.end();
  if (parsed.help) return parsed;
  if (parsed.command().commands.empty()) {
    split_options(rest, parsed);
  } else if (!rest.empty()) {
    fail(ErrorCategory::InvalidArgument, "{} is not an option of {}; see {} --help", rest.front(),
         full_name(parsed.path), full_name(parsed.path));
  }
  return parsed;
}

}  // namespace choir::cli
