#include "choir/cli/config.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <sstream>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "choir/base/error.h"
#include "choir/base/text.h"

namespace choir::cli {
namespace {

// Not options of the run: where its options came from, and what is only shown.
bool is_about_the_call(const std::string& name) {
  return name == "help" || name == "config" || name == "force" || name == "quiet" || name == "json";
}

// What is seen of the run while it runs is no part of it.
bool repeats(const std::string& name) { return !is_about_the_call(name) && name != "watch"; }

std::string long_name(const CLI::Option& option) {
  return option.get_lnames().empty() ? std::string() : option.get_lnames().front();
}

std::string value_text(const std::string& key, const toml::node& node, const std::filesystem::path& path) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* integer = node.as_integer()) return fmt::format("{}", integer->get());
  if (const auto* real = node.as_floating_point()) return fmt::format("{}", real->get());
  if (const auto* array = node.as_array()) {
    std::string list;
    for (const auto& element : *array) list += (list.empty() ? "" : ",") + value_text(key, element, path);
    return list;
  }
  fail(ErrorCategory::InvalidArgument,
       "{} line {}: '{}' must be a number, a word, true, false or a list of them", path.string(),
       node.source().begin.line, key);
}

void apply_key(CLI::App& command, const std::string& key, const toml::node& node,
               const std::filesystem::path& path) {
  CLI::Option* option = command.get_option_no_throw("--" + key);
  if (option == nullptr || is_about_the_call(key)) {
    fail(ErrorCategory::InvalidArgument, "{} line {}: '{}' is not an option of choir {}; see its --help",
         path.string(), node.source().begin.line, key, command.get_name());
  }
  if (option->count() > 0) return;
  try {
    option->add_result(value_text(key, node, path));
    option->run_callback();
  } catch (const CLI::Error& error) {
    fail(ErrorCategory::InvalidArgument, "{} line {}: {}", path.string(), node.source().begin.line,
         error.what());
  }
}

// TOML for an option's text: numbers bare, everything else quoted.
std::string toml_value(const std::string& text) {
  if (parse_integer(text)) return text;
  if (const auto real = parse_number(text); real && text.find_first_of(".e") != std::string::npos) {
    return fmt::format("{}", *real);
  }
  std::ostringstream quoted;
  quoted << toml::value<std::string>(text);
  return quoted.str();
}

// Every value as it was used; empty if there is none to write down.
std::string toml_values(const CLI::Option& option) {
  const bool is_flag = option.get_expected_min() == 0;
  if (option.count() == 0) {
    const std::string text = option.get_default_str();
    if (is_flag) return text.empty() ? "false" : text;
    return text.empty() || text == "[]" ? std::string() : toml_value(text);
  }
  const std::vector<std::string>& results = option.results();
  if (is_flag) return results.back();
  if (option.get_items_expected_max() == 1) return toml_value(results.back());
  std::string list;
  for (const std::string& text : results) list += (list.empty() ? "" : ", ") + toml_value(text);
  return "[" + list + "]";
}

// As a shell takes it for one word.
std::string shell_word(const std::string& text) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("_-./:,=@%+", c) != nullptr;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

void apply_config(CLI::App& command, const std::filesystem::path& path) {
  toml::table table;
  try {
    table = toml::parse_file(path.string());
  } catch (const toml::parse_error& error) {
    fail(ErrorCategory::InvalidArgument, "{} line {}: {}", path.string(), error.source().begin.line,
         error.description());
  }
  for (const auto& [key, node] : table) apply_key(command, std::string(key.str()), node, path);
}

std::vector<std::pair<std::string, std::string>> used_options(const CLI::App& command) {
  std::vector<std::pair<std::string, std::string>> used;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = long_name(*option);
    if (name.empty() || is_about_the_call(name)) continue;
    std::string value = toml_values(*option);
    if (!value.empty()) used.emplace_back(name, std::move(value));
  }
  return used;
}

std::string given_command(std::string call, const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = long_name(*option);
    if (name.empty() || !repeats(name) || option->count() == 0) continue;
    const bool is_flag = option->get_expected_min() == 0;
    if (is_flag && option->results().back() == "true") call += " --" + name;
    if (is_flag) continue;
    for (const std::string& value : option->results())
      call += fmt::format(" --{} {}", name, shell_word(value));
  }
  return call;
}

std::string resolved_config(const CLI::App& command, const std::map<std::string, std::string>& resolved) {
  std::string text;
  for (const auto& [name, value] : used_options(command)) {
    text += fmt::format("{} = {}", name, value);
    const auto chosen = resolved.find(name);
    text += chosen == resolved.end() ? "\n" : fmt::format("  # {}\n", chosen->second);
  }
  return text;
}

}  // namespace choir::cli
