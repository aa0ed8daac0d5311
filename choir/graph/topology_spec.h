// A topology in words, as the command line has it: ring:k line grid torus complete star tree:b erdos:p
// barabasi:m geometric:r file:PATH.
//
//   const TopologySpec spec = parse_topology_spec("ring:4");    // .kind = ring, .number = 4
#pragma once

#include <string>
#include <string_view>

namespace choir {

enum class TopologyKind { ring, line, grid, torus, complete, star, tree, erdos, barabasi, geometric, file };

struct TopologySpec {
  TopologyKind kind = TopologyKind::complete;
  double number = 0;  // k, b, p, m or r; a whole number where nodes are counted
  std::string path;   // of file:PATH
};

// Throws Error(InvalidArgument) that lists the choices for an unknown word, and says what is missing or
// too much after a known one. Whether the number suits the graph is for make_topology to say.
TopologySpec parse_topology_spec(std::string_view text);

std::string to_string(const TopologySpec& spec);

}  // namespace choir
