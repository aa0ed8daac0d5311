// `choir completion SHELL`: a script that completes commands, methods, options and their words.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "choir/base/text.h"
#include "choir/cli/command.h"
#include "choir/cli/split_arguments.h"

namespace choir::cli {
namespace {

// A command with the words that lead to it: "fit central-kpca".
struct Place {
  std::string words;
  const Command* command;
};

void collect(const Command& command, const std::string& words, std::vector<Place>& places) {
  places.push_back({words, &command});
  for (const Command& inner : command.commands) {
    if (!inner.hidden) collect(inner, words.empty() ? inner.name : words + " " + inner.name, places);
  }
}

std::vector<Place> all_places() {
  std::vector<Place> places;
  collect(program(), "", places);
  return places;
}

std::vector<OptionRow> rows_of(const Command& command) {
  if (!command.commands.empty()) return {};
  std::vector<OptionRow> rows = command.options.rows();
  const OptionTable console = console_options(command);
  rows.insert(rows.end(), console.rows().begin(), console.rows().end());
  return rows;
}

// What may follow the command's name.
std::vector<std::string> words_after(const Command& command) {
  std::vector<std::string> words;
  for (const Command& inner : command.commands) {
    if (!inner.hidden) words.push_back(inner.name);
  }
  for (const Positional& positional : command.takes)
    words.insert(words.end(), positional.choices.begin(), positional.choices.end());
  for (const OptionRow& row : rows_of(command)) words.push_back("--" + row.name);
  return words;
}

bool takes_file(const OptionRow& row) { return row.unit == "FILE" || row.unit == "FOLDER"; }

std::string bash_script() {
  std::string script =
      "# bash completion for choir; source it, or put it into /etc/bash_completion.d\n"
      "_choir() {\n"
      "  local word=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\" path=\"\" i\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    case \"${COMP_WORDS[i]}\" in -*) break ;; esac\n"
      "    path=\"${path:+$path }${COMP_WORDS[i]}\"\n"
      "  done\n"
      "  local words=\"\"\n"
      "  case \"$path:$previous\" in\n";
  for (const Place& place : all_places()) {
    for (const OptionRow& row : rows_of(*place.command)) {
      if (!row.choices.empty()) {
        script += fmt::format("    '{}'*':--{}') words='{}' ;;\n", place.words, row.name,
                              fmt::join(row.choices, " "));
      } else if (takes_file(row)) {
        script += fmt::format("    '{}'*':--{}') COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n",
                              place.words, row.name);
      }
    }
  }
  script += "    *) case \"$path\" in\n";
  // The longest path first: a positional argument may follow it.
  const std::vector<Place> places = all_places();
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    script += fmt::format("      '{}'*) words='{}' ;;\n", place->words,
                          fmt::join(words_after(*place->command), " "));
  }
  script +=
      "    esac ;;\n"
      "  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "  [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- \"$word\"))\n"
      "}\n"
      "complete -o filenames -F _choir choir";
  return script;
}

// zsh reads scripts for bash.
std::string zsh_script() {
  return "#compdef choir\n# zsh completion for choir; put it into a folder of $fpath as _choir\n"
         "autoload -U +X bashcompinit && bashcompinit\n" +
         bash_script();
}

std::string quoted_for_fish(const std::string& text) {
  std::string quoted = "'";
  for (const char letter : text) quoted += letter == '\'' ? std::string("\\'") : std::string(1, letter);
  return quoted + "'";
}

std::string fish_script() {
  std::string script =
      "# fish completion for choir; put it into ~/.config/fish/completions/choir.fish\ncomplete -c choir -f";
  for (const Place& place : all_places()) {
    std::string condition = place.command == &program() ? "__fish_use_subcommand" : "";
    for (const std::string_view word : split(place.words, ' ')) {
      if (!word.empty())
        condition += fmt::format("{}__fish_seen_subcommand_from {}", condition.empty() ? "" : "; and ", word);
    }
    for (const Command& inner : place.command->commands) {
      if (inner.hidden) continue;
      script += fmt::format("\ncomplete -c choir -n '{}' -a {} -d {}", condition, inner.name,
                            quoted_for_fish(inner.about));
    }
    for (const OptionRow& row : rows_of(*place.command)) {
      script += fmt::format("\ncomplete -c choir -n '{}' -l {}{} -d {}", condition, row.name,
                            row.flag               ? ""
                            : !row.choices.empty() ? fmt::format(" -x -a '{}'", fmt::join(row.choices, " "))
                                                   : " -r",
                            quoted_for_fish(row.help));
    }
  }
  return script;
}

}  // namespace

Command completion_command() {
  Command command{.name = "completion",
                  .about = "a script that completes commands and options in a shell",
                  .example = "choir completion bash > /etc/bash_completion.d/choir"};
  command.takes = {{.name = "SHELL", .help = "bash, zsh or fish", .choices = {"bash", "zsh", "fish"}}};
  command.run = [](const Call& call, Session& session) {
    const std::string& shell = call.words.front();
    Console(session.console)
        .print(shell == "bash"  ? bash_script()
               : shell == "zsh" ? zsh_script()
                                : fish_script());
  };
  return command;
}

}  // namespace choir::cli
