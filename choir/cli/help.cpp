#include "choir/cli/help.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "choir/base/text.h"
#include "choir/cli/split_arguments.h"
#include "choir/run/version.h"

namespace choir::cli {
namespace {

constexpr std::size_t indent = 2;
constexpr std::size_t widest_name = 26;

// Words in lines of at most so many letters; the first line begins after `first` letters.
std::string wrapped(const std::string& text, std::size_t first, std::size_t margin, std::size_t width) {
  std::string result;
  std::size_t column = first;
  for (const std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    const bool begins = result.empty();
    if (!begins && column + 1 + word.size() > width) {
      result += "\n" + std::string(margin, ' ');
      column = margin;
    } else if (!begins) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

// "  --name VALUE    what it does", the text in a column of its own.
std::string entry(const std::string& name, const std::string& text, std::size_t margin, std::size_t width) {
  std::string line = std::string(indent, ' ') + name;
  if (line.size() + 2 > margin) {
    line += "\n" + std::string(margin, ' ');
  } else {
    line += std::string(margin - line.size(), ' ');
  }
  return line + wrapped(text, margin, margin, width) + "\n";
}

std::string option_name(const OptionRow& row) {
  const std::string short_name = row.name == "quiet" ? "-q, " : row.name == "help" ? "-h, " : "";
  return fmt::format("{}--{}{}{}", short_name, row.name, row.flag ? "" : " ", row.flag ? "" : row.unit);
}

std::size_t margin_for(const std::vector<std::string>& names) {
  std::size_t longest = 0;
  for (const std::string& name : names) {
    if (name.size() <= widest_name) longest = std::max(longest, name.size());
  }
  return indent + longest + 2;
}

std::vector<const OptionRow*> shown_rows(const OptionTable& table, bool all) {
  const bool has_common =
      std::any_of(table.rows().begin(), table.rows().end(), [](const OptionRow& row) { return row.common; });
  std::vector<const OptionRow*> rows;
  for (const OptionRow& row : table.rows()) {
    if (all || !has_common || row.common || row.required) rows.push_back(&row);
  }
  return rows;
}

std::string option_groups(const Command& command, bool all, std::size_t width) {
  const OptionTable console = console_options(command);
  std::vector<const OptionRow*> rows = shown_rows(command.options, all);
  const std::vector<const OptionRow*> of_console = shown_rows(console, true);
  rows.insert(rows.end(), of_console.begin(), of_console.end());
  std::vector<std::string> names, groups;
  for (const OptionRow* row : rows) {
    names.push_back(option_name(*row));
    if (std::find(groups.begin(), groups.end(), row->group) == groups.end()) groups.push_back(row->group);
  }
  const std::size_t margin = margin_for(names);
  std::string text;
  for (const std::string& group : groups) {
    text += fmt::format("\n{}:\n", group);
    for (const OptionRow* row : rows) {
      if (row->group != group) continue;
      const bool is_of_console = console.find(row->name) == row;
      const std::string remarks = is_of_console ? "" : option_remarks(*row, *command.defaults);
      text += entry(option_name(*row), row->help + (remarks.empty() ? "" : " " + remarks), margin, width);
    }
  }
  return text;
}

std::string usage(const std::vector<const Command*>& path) {
  const Command& command = *path.back();
  std::string text = "Usage: " + full_name(path);
  for (const Positional& positional : command.takes)
    text += fmt::format(" {}{}", positional.name, positional.many ? "..." : "");
  for (const OptionRow& row : command.options.rows()) {
    if (row.required) text += fmt::format(" --{} {}", row.name, row.unit);
  }
  return text + " [options]";
}

std::string command_list(const std::vector<Command>& commands, std::size_t width) {
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const Command& command : commands) names.push_back(command.name);
  std::string text;
  for (const Command& command : commands) {
    if (!command.hidden) text += entry(command.name, command.about, margin_for(names), width);
  }
  return text;
}

}  // namespace

std::string option_remarks(const OptionRow& row, const OptionTarget& defaults) {
  std::vector<std::string> remarks;
  if (!row.choices.empty()) remarks.push_back(fmt::format("one of {}", fmt::join(row.choices, ", ")));
  const std::string range = row.range.words();
  if (!range.empty()) remarks.push_back(range);
  if (row.list) remarks.push_back("repeatable");
  const std::string value = row.flag ? "" : canonical_text(row, defaults);
  if (row.required) {
    remarks.push_back("required");
  } else if (!value.empty()) {
    remarks.push_back("default: " + value);
  }
  return remarks.empty() ? "" : fmt::format("({})", fmt::join(remarks, "; "));
}

std::string overview(std::size_t width) {
  const Command& root = program();
  std::string text =
      fmt::format("choir {}: {}\n\nCommands:\n{}", version(), root.about, command_list(root.commands, width));
  for (const Command& command : root.commands) {
    if (command.name == "fit") text += "\nMethods of choir fit:\n" + command_list(command.commands, width);
  }
  return text +
         "\nTo begin:\n"
         "  choir fit central-kpca --data datasets/digits.npz:images --n-components 5 --out runs/first "
         "--report\n"
         "  choir fit consensus-kpca --data datasets/digits.npz:images --nodes 20 --gamma 2e-7 --out "
         "runs/second\n"
         "  choir report runs/first runs/second --out compare.html\n"
         "\nEvery command has --help; choir version says what is built in.";
}

std::string help_text(const std::vector<const Command*>& path, bool all, std::size_t width) {
  const Command& command = *path.back();
  if (path.size() == 1) return overview(width);
  std::string text = wrapped(fmt::format("{}: {}", full_name(path), command.about), 0, 0, width) + "\n\n";
  if (!command.commands.empty()) {
    return text + fmt::format("Usage: {} {} [options]\n\n{}\nEach has --help.", full_name(path),
                              command.commands_are == "method" ? "METHOD" : "COMMAND",
                              command_list(command.commands, width));
  }
  text += wrapped(usage(path), 0, 7, width) + "\n";
  if (!command.takes.empty()) {
    std::vector<std::string> names;
    for (const Positional& positional : command.takes) names.push_back(positional.name);
    text += "\n";
    for (const Positional& positional : command.takes)
      text += entry(positional.name, positional.help, margin_for(names), width);
  }
  text += option_groups(command, all, width);
  if (!command.example.empty()) text += fmt::format("\nExample:\n  {}\n", command.example);
  text.pop_back();
  return text;
}

std::size_t terminal_width() {
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return std::clamp<std::size_t>(known ? size.ws_col : 80, 50, 120);
}

}  // namespace choir::cli
