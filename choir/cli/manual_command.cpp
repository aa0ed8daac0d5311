// `choir man`: the manual page choir(1). `choir options`: the tables of docs/options.md. Both for those who
// build choir.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/cli/command.h"
#include "choir/cli/help.h"
#include "choir/run/method.h"
#include "choir/run/version.h"

namespace choir::cli {
namespace {

// roff takes a backslash, a leading dot and a plain dash for something else.
std::string roff(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '-') {
      result += "\\-";
    } else if (letter == '\\') {
      result += "\\\\";
    } else {
      result += letter;
    }
  }
  return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

std::string roff_option(const OptionRow& row, const OptionTarget& defaults) {
  const std::string remarks = option_remarks(row, defaults);
  return fmt::format(".TP\n\\fB\\-\\-{}\\fR{}\n{}{}\n", roff(row.name),
                     row.flag ? "" : " \\fI" + roff(row.unit) + "\\fR", roff(row.help),
                     remarks.empty() ? "" : " " + roff(remarks));
}

void add_roff(const Command& command, const std::string& name, std::string& text) {
  if (command.hidden) return;
  for (const Command& inner : command.commands) add_roff(inner, name + " " + inner.name, text);
  if (!command.run) return;
  text += fmt::format(".SS {}\n{}\n", roff(name), roff(command.about));
  for (const Positional& positional : command.takes)
    text += fmt::format(".TP\n\\fI{}\\fR\n{}\n", positional.name, roff(positional.help));
  for (const OptionRow& row : command.options.rows()) text += roff_option(row, *command.defaults);
  if (!command.example.empty())
    text += fmt::format(".PP\nExample:\n.PP\n.nf\n{}\n.fi\n", roff(command.example));
}

std::string manual_page() {
  const Command& root = program();
  std::string text = fmt::format(
      ".TH CHOIR 1 \"\" \"choir {}\" \"User Commands\"\n.SH NAME\nchoir \\- {}\n.SH SYNOPSIS\n.B choir\n.I "
      "command\n[options]\n"
      ".SH DESCRIPTION\nLearns principal components, kernel principal components, clusters and online "
      "classifiers from data "
      "that stay on many nodes. Every command takes \\-\\-help and \\-\\-quiet; those that print a table "
      "take \\-\\-json.\n"
      ".SH COMMANDS\n",
      version(), roff(root.about));
  for (const Command& command : root.commands) add_roff(command, "choir " + command.name, text);
  return text +
         ".SH EXIT STATUS\n0: success. 2: bad input, one sentence on stderr. 3: not converged; the run "
         "folder is written. 4: peers "
         "were lost. 130: interrupted.";
}

std::string cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
    text.insert(at, "\\");
  return text;
}

std::string markdown_table(const MethodInfo& info) {
  const std::unique_ptr<Method> plain = info.start();
  std::string text =
      fmt::format("## {}\n{}.\n\n| option | value | default | shared | what it is |\n|---|---|---|---|---|\n",
                  info.name, info.about);
  for (const OptionRow& row : info.options.rows()) {
    const std::string value =
        row.choices.empty() ? row.unit : fmt::format("{}", fmt::join(row.choices, ", "));
    const std::string range = row.range.words();
    text +=
        fmt::format("| `--{}` | {} | {} | {} | {}{} |\n", row.name, cell(row.flag ? "flag" : value),
                    row.required ? "required" : cell(row.flag ? "" : canonical_text(row, plain->settings())),
                    row.shared ? "all parties" : "own", cell(row.help), range.empty() ? "" : "; " + range);
  }
  return text;
}

std::string markdown() {
  std::string text =
      "# Options of every method\n\nMade by `choir options` from the tables that the program reads; a test "
      "compares. The key in TOML and "
      "in result.json is the option's name with underscores (both spellings are read). \"All parties\": the "
      "processes of a run "
      "compare their values before anything else, and a difference ends the run.\n";
  for (const MethodInfo* info : all_methods()) text += "\n" + markdown_table(*info);
  text.pop_back();
  return text;
}

Command printing(const std::string& name, const std::string& about, std::string (*text)()) {
  Command command{.name = name, .about = about, .example = "choir " + name};
  command.hidden = true;
  command.run = [text](const Call&, Session& session) { Console(session.console).print(text()); };
  return command;
}

}  // namespace

Command manual_command() { return printing("man", "the manual page, for man", manual_page); }
Command options_command() { return printing("options", "the tables of docs/options.md", markdown); }

}  // namespace choir::cli
