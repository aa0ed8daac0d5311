// From the words of a command line to a command and what was given to it.
#pragma once

#include <string>
#include <vector>

#include "choir/cli/command.h"

namespace choir::cli {

struct Parsed {
  std::vector<const Command*> path;  // the program first, the innermost command that was named last
  Call call = {};
  ConsoleOptions console = {};
  bool help = false;
  bool help_all = false;

  const Command& command() const { return *path.back(); }
};

// Throws Error(InvalidArgument) for what cannot be understood, with the nearest word that could.
Parsed split_arguments(const std::vector<std::string>& words);

std::string full_name(const std::vector<const Command*>& path);  // "choir data split"

}  // namespace choir::cli
