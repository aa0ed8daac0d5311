#include "choir/learn/parts/projection.h"

#include <algorithm>
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

// What the columns of their contributions stand for.
void require_same_columns(NodeId node, const Part& part, NodeId first, const Part& other) {
  if (part.index() != other.index()) {
    fail(ErrorCategory::InvalidArgument,
         "node {} has a part of another kind of model than node {}; give all nodes parts of one model", node,
         first);
  }
  if (const auto* linear = std::get_if<LinearPart>(&part)) {
    require_same(node, linear->components(), first, std::get<LinearPart>(other).components(), "components");
    return;
  }
  const auto &kernel = std::get<KernelPart>(part), &first_kernel = std::get<KernelPart>(other);
  require_same(node, kernel.points.cols(), first, first_kernel.points.cols(), "training samples");
  if (kernel.kernel == first_kernel.kernel) return;
  fail(ErrorCategory::InvalidArgument,
       "node {} has the kernel {} but node {} has {}; give all nodes parts of one model", node,
       describe(kernel.kernel), first, describe(first_kernel.kernel));
}

// Nodes of other processes find out when they add up.
void check_parts(const std::vector<Part>& parts, const std::vector<Samples>& samples, const NodeRange& own) {
  const auto nodes = static_cast<std::size_t>(own.size());
  if (parts.size() != nodes || samples.size() != nodes) {
    fail(ErrorCategory::InvalidArgument,
         "there are {} parts and {} shards of new samples for {} nodes; give one of each to every node",
         parts.size(), samples.size(), nodes);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const NodeId node = own.first + static_cast<NodeId>(i);
    require_same_columns(node, parts[i], own.first, parts[0]);
    require_same(node, samples[i].cols(), own.first, samples[0].cols(), "samples");
    if (samples[i].rows() != features(parts[i])) {
      fail(ErrorCategory::InvalidArgument,
           "node {} has {} coordinates of each sample but its part was fitted to {}", node, samples[i].rows(),
           features(parts[i]));
    }
  }
}

void check_policy(const std::vector<Part>& parts, LostPeers policy) {
  if (policy == LostPeers::fail || parts.empty() || !needs_all_parts(parts.front())) return;
  fail(ErrorCategory::InvalidArgument,
       "a kernel's model in parts answers from the features of all nodes; continuing without lost peers "
       "would give wrong scores, so use --lost-peers fail");
}

// What a node adds, what it has added up, and what is on its way.
std::uint64_t bytes_held(const Part& part, const Samples& samples) {
  return 3 * sizeof(double) * static_cast<std::uint64_t>(contribution_size(part, samples.cols()));
}

// Nothing for nodes whose part has no answer, too.
Outcome<PartedAnswer> flattened(Outcome<std::optional<PartedAnswer>> outcome) {
  Outcome<PartedAnswer> result;
  for (auto& answer : outcome.results) {
    result.results.push_back(answer ? std::move(*answer) : std::optional<PartedAnswer>());
  }
  result.report = std::move(outcome.report);
  return result;
}

}  // namespace

Task<std::optional<PartedAnswer>> project(Node& node, Part part, Samples samples, SampleOrder order,
                                          ProjectionOptions options) {
  if (!order.keys.empty()) co_await require_same_order(node, std::move(order));
  Matrix mine = contribution(part, samples);
  if (!options.gossip) {
    const Matrix sum = co_await tree_sum(node, node.tree(), std::move(mine), Kind::features);
    co_return answer_of(part, sum);
  }
  GossipOptions gossip = *options.gossip;
  gossip.kind = Kind::features;
  const Gossiped mean = co_await gossip_average(node, std::move(mine), gossip);
  co_return answer_of(part, mean.sum * (static_cast<double>(node.network_size()) / mean.weight));
}

Outcome<PartedAnswer> project_coordinates(Engine& engine, const Graph& graph, std::vector<Part> parts,
                                          std::vector<Samples> samples, const ProjectionOptions& options,
                                          const RunOptions& run, std::vector<SampleOrder> orders) {
  const SingleThreadedBlas scope;
  const NodeRange own = engine.own_nodes(graph.nodes());
  check_parts(parts, samples, own);
  check_policy(parts, run.lost_peers);
  orders.resize(parts.size());
  const bool keyed = std::ranges::any_of(orders, [](const auto& order) { return !order.keys.empty(); });
  const auto index = [&](NodeId node) { return static_cast<std::size_t>(node - own.first); };
  const Contract contract{
      .method = "the projection of spread coordinates",
      .kinds = keyed ? KindSet{Kind::features, Kind::identifiers, Kind::control}
                     : KindSet{Kind::features, Kind::control},
      .links = options.gossip ? Links::raw : Links::reliable,
      .memory = [&](NodeId node) { return bytes_held(parts[index(node)], samples[index(node)]); }};
  return flattened(run_nodes<std::optional<PartedAnswer>>(engine, graph, contract, run, [&](Node& node) {
    const std::size_t i = index(node.id());
    return project(node, std::move(parts[i]), std::move(samples[i]), std::move(orders[i]), options);
  }));
}

}  // namespace choir
