// Help as a terminal shows it: wrapped to its width, grouped, the common options first.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "choir/cli/command.h"

namespace choir::cli {

// What one can do: commands, methods, and three commands to begin with.
std::string overview(std::size_t width);

// Of a command: usage, options (the common ones, or all), example. Of a group of commands: what is in it.
std::string help_text(const std::vector<const Command*>& path, bool all, std::size_t width);

// "(required)", "(default: rbf)", "one of rbf, linear": what help says of an option after its sentence.
std::string option_remarks(const OptionRow& row, const OptionTarget& defaults);

// Of the terminal that stdout is; 80 where there is none.
std::size_t terminal_width();

}  // namespace choir::cli
