// Any text as a graph file: a connected graph or one choir::Error, and what was read survives being written.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "choir/base/error.h"
#include "choir/graph/edge_list.h"
#include "choir/graph/traversal.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const choir::Index nodes : {0, 4}) {
    try {
      const choir::Graph graph = choir::parse_graph(text, "fuzz", nodes);
      if (nodes != 0 && graph.nodes() != nodes) std::abort();
      if (!choir::components(graph).connected()) std::abort();
      if (choir::parse_graph(choir::format_edge_list(graph), "again") != graph) std::abort();
    } catch (const choir::Error& error) {
      if (error.category() != choir::ErrorCategory::BadData) std::abort();
    }
  }
  return 0;
}
