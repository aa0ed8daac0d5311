#include "choir/run/config.h"

#include <sstream>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace choir {
namespace {

std::string origin_of(const std::filesystem::path& path, const toml::source_region& source) {
  return fmt::format("{} line {}", path.string(), source.begin.line);
}

std::string text_of(const std::string& key, const toml::node& node, const std::filesystem::path& path) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* integer = node.as_integer()) return fmt::format("{}", integer->get());
  if (const auto* real = node.as_floating_point()) return fmt::format("{}", real->get());
  fail(ErrorCategory::InvalidArgument, "{}: '{}' must be a number, a word, true, false or a list of them",
       origin_of(path, node.source()), key);
}

std::vector<std::string> texts_of(const std::string& key, const toml::node& node,
                                  const std::filesystem::path& path) {
  const auto* array = node.as_array();
  if (array == nullptr) return {text_of(key, node, path)};
  std::vector<std::string> texts;
  for (const auto& element : *array) texts.push_back(text_of(key, element, path));
  return texts;
}

// Numbers bare, everything else quoted.
std::string toml_value(const std::string& text) {
  if (parse_integer(text)) return text;
  if (const auto real = parse_number(text); real && text.find_first_of(".e") != std::string::npos) {
    return fmt::format("{}", *real);
  }
  std::ostringstream quoted;
  quoted << toml::value<std::string>(text);
  return quoted.str();
}

std::string toml_values(const OptionRow& row, const std::vector<std::string>& values) {
  if (row.flag) return values.back();
  if (!row.list) return toml_value(values.back());
  std::string list;
  for (const std::string& text : values) list += (list.empty() ? "" : ", ") + toml_value(text);
  return "[" + list + "]";
}

// What is seen of the run while it runs is no part of it.
bool repeats(const OptionRow& row) { return !row.of_the_call && row.name != "watch"; }

}  // namespace

std::vector<GivenOption> read_config(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path))
    fail(ErrorCategory::Io, "cannot read {}: there is no such file", path.string());
  toml::table table;
  try {
    table = toml::parse_file(path.string());
  } catch (const toml::parse_error& error) {
    fail(ErrorCategory::InvalidArgument, "{}: {}", origin_of(path, error.source()), error.description());
  }
  std::vector<GivenOption> given;
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    given.push_back(
        {.name = name, .values = texts_of(name, node, path), .origin = origin_of(path, node.source())});
  }
  return given;
}

std::vector<std::pair<std::string, std::string>> used_options(const OptionTable& table,
                                                              const OptionTarget& target) {
  std::vector<std::pair<std::string, std::string>> used;
  for (const OptionRow& row : table.rows()) {
    const std::vector<std::string> values = row.values(target);
    if (!row.of_the_call && !values.empty()) used.emplace_back(row.key(), toml_values(row, values));
  }
  return used;
}

std::string config_text(const OptionTable& table, const OptionTarget& target,
                        const std::map<std::string, std::string>& resolved) {
  std::string text;
  for (const auto& [key, value] : used_options(table, target)) {
    const auto chosen = resolved.find(key);
    text += fmt::format("{} = {}{}\n", key, value, chosen == resolved.end() ? "" : "  # " + chosen->second);
  }
  return text;
}

std::string given_command(std::string call, const OptionTable& table, const OptionTarget& target) {
  for (const OptionRow& row : table.rows()) {
    if (!repeats(row) || !target.was_given(row.name)) continue;
    const std::vector<std::string> values = row.values(target);
    if (row.flag && values.back() == "true") call += " --" + row.name;
    if (row.flag) continue;
    for (const std::string& value : values)
      call += fmt::format(" --{} {}", row.name, quoted_for_shell(value));
  }
  return call;
}

std::string quoted_for_shell(const std::string& word) {
  constexpr std::string_view harmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(harmless) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char letter : word) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

}  // namespace choir
