// The options --sim-... of `choir fit`, as the user typed them.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace choir {
struct SimOptions;
}

namespace choir::cli {

struct SimArguments {  // empty: not said
  std::string latency;
  std::string loss;
  std::string duplicate;
  bool reorder = false;
  std::vector<std::string> crash;
  std::vector<std::string> join;
  std::vector<std::string> partition;
  std::vector<std::string> slow;
  std::string trace;

  // "--sim-loss": one of those that were said; empty if none was.
  std::string first_said() const;
  // Without the trace. Throws Error(InvalidArgument).
  SimOptions options() const;
};

void add_sim_options(CLI::App& command, SimArguments& arguments);

}  // namespace choir::cli
