// Graphs in text files.
//
//   # who talks to whom                 0 1 0
//   nodes 3                             1 0 1
//   0 1                                 0 1 0
//   1 2
//
// Left, a list of links: two ids per line, undirected, so "1 0" adds nothing after "0 1". The first line
// may be "nodes J", or two words that name the columns. Right, an adjacency matrix of three nodes or more,
// which must be symmetric. In both, '#' starts a comment, empty lines do not count, and blanks or commas
// separate. Ids run from 0.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "choir/graph/graph.h"

namespace choir {

// `nodes` is the count that the file must have; 0 takes what it has. `name` stands in the errors.
// Throws Error(BadData) in one sentence with name and line: what is not an id or out of range, a
// self-link, a matrix that is not square or not symmetric, a wrong count, a graph that is not connected.
Graph parse_graph(std::string_view text, const std::string& name, Index nodes = 0);

// The same for a file. Throws Error(Io) if it cannot be read.
Graph read_graph_file(const std::filesystem::path& path, Index nodes = 0);

// What parse_graph reads: "nodes J", then one link a line, ascending.
std::string format_edge_list(const Graph& graph);

}  // namespace choir
