// The options of `choir fit gossip-pca`, as the user typed them.
//
//   GossipArguments arguments;
//   add_gossip_options(*command, arguments);
//   ...
//   const GossipPcaOptions method = method_of(arguments);
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "choir/cli/fit_options.h"
#include "choir/learn/gossip_pca/options.h"

namespace choir::cli {

struct GossipArguments {
  FitOptions fit;
  GossipPcaOptions method;  // its numbers are options; its choices are made from the words below
  std::string partition{to_string(method.division)};
  std::string merge{to_string(method.merge)};
  std::string carry = "auto";
  std::string ritz_values{to_string(method.ritz_values)};
  std::string schedule{to_string(method.schedule)};
  std::string interval = "10ms";
  std::string links = "acknowledged";
  std::string features = "auto";
  std::string half_life = "none";
  std::string stream;  // empty: all samples are there from the start

  GossipArguments();
};

void add_gossip_options(CLI::App& command, GossipArguments& arguments);

// All of them in the library's words. Throws Error(InvalidArgument) for what cannot be.
GossipPcaOptions method_of(const GossipArguments& arguments);

// So many samples at a time.
struct Stream {
  Index count = 0;
  Duration interval{};
};
// Nothing if there is none. Throws Error(InvalidArgument).
std::optional<Stream> stream_of(const GossipArguments& arguments);

// What --topology auto stands for.
std::string automatic_topology(Schedule schedule, Index nodes);

}  // namespace choir::cli
