// `choir transform` and `choir score` with a model in parts: the nodes add up what their coordinates
// contribute.
#pragma once

#include <string>

#include "choir/cli/commands.h"
#include "choir/cli/fit_options.h"
#include "choir/model/linear_part.h"

namespace choir::cli {

struct ApplyArguments {
  std::string model;
  std::string use;
  FitOptions run;  // data, out, and where the nodes of a model in parts are
  std::string agree = "tree";
  std::string key;      // who each sample is, for nodes with data of their own
  Index messages = 60;  // a node, with gossip
};

// What leaves the parts for a file.
using PartsQuestion = Matrix (*)(const PartedAnswer& answer);

void add_parts_options(CLI::App& command, ApplyArguments& arguments);
// Throws Error(InvalidArgument) if one of these options was given to a model that is not in parts.
void refuse_parts_options(const CLI::App& command);

void apply_parts(const ApplyArguments& arguments, Session& session, PartsQuestion question);

}  // namespace choir::cli
