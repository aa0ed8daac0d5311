#include "choir/learn/gossip_pca/projection.h"

#include <utility>

#include "choir/base/error.h"
#include "choir/linalg/blas.h"
#include "choir/runtime/blocks/tree_sum.h"

namespace choir {
namespace {

void require_same(NodeId node, Index has, NodeId first, Index first_has, const char* what) {
  if (has == first_has) return;
  fail(ErrorCategory::InvalidArgument,
       "node {} has {} {} but node {} has {}; give all nodes parts of one model and the same samples", node,
       has, what, first, first_has);
}

// Nodes of other processes find out when they add up.
void check_parts(const std::vector<LinearPart>& parts, const std::vector<Samples>& samples,
                 const NodeRange& own) {
  const auto nodes = static_cast<std::size_t>(own.size());
  if (parts.size() != nodes || samples.size() != nodes) {
    fail(ErrorCategory::InvalidArgument,
         "there are {} parts and {} shards of new samples for {} nodes; give one of each to every node",
         parts.size(), samples.size(), nodes);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const NodeId node = own.first + static_cast<NodeId>(i);
    require_same(node, parts[i].components(), own.first, parts[0].components(), "components");
    require_same(node, samples[i].cols(), own.first, samples[0].cols(), "samples");
    if (samples[i].rows() != parts[i].features()) {
      fail(ErrorCategory::InvalidArgument,
           "node {} has {} coordinates of each sample but its part was fitted to {}", node, samples[i].rows(),
           parts[i].features());
    }
  }
}

// What a node adds, what it has added up, and what is on its way.
std::uint64_t bytes_held(const LinearPart& part, const Samples& samples) {
  return 3 * sizeof(double) * static_cast<std::uint64_t>(samples.cols() + part.components()) *
         static_cast<std::uint64_t>(part.components() + 1);
}

}  // namespace

Task<PartedAnswer> project(Node& node, LinearPart part, Samples samples, ProjectionOptions options) {
  Matrix mine = part.contribution(samples);
  if (!options.gossip) {
    const Matrix sum = co_await tree_sum(node, node.tree(), std::move(mine), Kind::features);
    co_return answer_of(sum);
  }
  GossipOptions gossip = *options.gossip;
  gossip.kind = Kind::features;
  const Gossiped mean = co_await gossip_average(node, std::move(mine), gossip);
  co_return answer_of(mean.sum * (static_cast<double>(node.network_size()) / mean.weight));
}

Outcome<PartedAnswer> project_coordinates(Engine& engine, const Graph& graph, std::vector<LinearPart> parts,
                                          std::vector<Samples> samples, const ProjectionOptions& options,
                                          const RunOptions& run) {
  const SingleThreadedBlas scope;
  const NodeRange own = engine.own_nodes(graph.nodes());
  check_parts(parts, samples, own);
  const auto index = [&](NodeId node) { return static_cast<std::size_t>(node - own.first); };
  const Contract contract{
      .method = "the projection of spread coordinates",
      .kinds = {Kind::features, Kind::control},
      .links = options.gossip ? Links::raw : Links::reliable,
      .memory = [&](NodeId node) { return bytes_held(parts[index(node)], samples[index(node)]); }};
  return run_nodes<PartedAnswer>(engine, graph, contract, run, [&](Node& node) {
    const std::size_t i = index(node.id());
    return project(node, std::move(parts[i]), std::move(samples[i]), options);
  });
}

}  // namespace choir
