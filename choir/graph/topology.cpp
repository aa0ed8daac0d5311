#include "choir/graph/topology.h"

#include "choir/base/error.h"
#include "choir/graph/edge_list.h"
#include "choir/graph/random_graphs.h"
#include "choir/graph/regular.h"

namespace choir {

Graph make_topology(const TopologySpec& spec, Index nodes, std::uint64_t seed) {
  const auto count = static_cast<Index>(spec.number);
  switch (spec.kind) {
    case TopologyKind::ring:
      return ring_graph(nodes, count);
    case TopologyKind::line:
      return line_graph(nodes);
    case TopologyKind::grid:
      return grid_graph(nodes);
    case TopologyKind::torus:
      return torus_graph(nodes);
    case TopologyKind::complete:
      return complete_graph(nodes);
    case TopologyKind::star:
      return star_graph(nodes);
    case TopologyKind::tree:
      return tree_graph(nodes, count);
    case TopologyKind::erdos:
      return erdos_graph(nodes, spec.number, seed);
    case TopologyKind::barabasi:
      return barabasi_graph(nodes, count, seed);
    case TopologyKind::geometric:
      return geometric_graph(nodes, spec.number, seed);
    case TopologyKind::file:
      return read_graph_file(spec.path, nodes);
  }
  fail(ErrorCategory::Internal, "make_topology does not know topology {}", to_string(spec));
}

Graph make_topology(std::string_view spec, Index nodes, std::uint64_t seed) {
  return make_topology(parse_topology_spec(spec), nodes, seed);
}

}  // namespace choir
