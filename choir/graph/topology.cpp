#include "choir/graph/topology.h"

#include <cmath>
#include <limits>

#include "choir/base/error.h"
#include "choir/graph/edge_list.h"
#include "choir/graph/random_graphs.h"
#include "choir/graph/regular.h"

namespace choir {
namespace {

// parse_topology_spec lets nothing else through, but a spec may also be built by hand.
Index whole_number(const TopologySpec& spec) {
  if (!(std::abs(spec.number) <= std::numeric_limits<NodeId>::max()) ||
      std::trunc(spec.number) != spec.number) {
    fail(ErrorCategory::InvalidArgument, "topology {} needs an integer", to_string(spec));
  }
  return static_cast<Index>(spec.number);
}

}  // namespace

Graph make_topology(const TopologySpec& spec, Index nodes, std::uint64_t seed) {
  switch (spec.kind) {
    case TopologyKind::ring:
      return ring_graph(nodes, whole_number(spec));
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
      return tree_graph(nodes, whole_number(spec));
    case TopologyKind::erdos:
      return erdos_graph(nodes, spec.number, seed);
    case TopologyKind::barabasi:
      return barabasi_graph(nodes, whole_number(spec), seed);
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
