#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/learn/features/feature_store.h"
#include "choir/learn/federated_kmeans/federated_kmeans.h"
#include "choir/learn/node_results.h"
#include "choir/linalg/blas.h"
#include "choir/runtime/process_group.h"

namespace choir {
namespace {

constexpr Purpose seed_purpose("federated-kmeans");

KindSet kinds_of(const FederatedKmeansOptions& options) {
  const bool single = options.seeding == ClusterSeeding::parallel;
  const bool raw = options.min_count == 1;
  if (single && raw) {
    return {Kind::raw_samples, Kind::features, Kind::coefficients, Kind::statistics, Kind::control};
  }
  if (single) return {Kind::centroids, Kind::features, Kind::coefficients, Kind::statistics, Kind::control};
  if (raw) return {Kind::raw_samples, Kind::coefficients, Kind::statistics, Kind::control};
  return {Kind::centroids, Kind::coefficients, Kind::statistics, Kind::control};
}

// Bytes of a node.
struct Planner {
  FederatedKmeansOptions options;
  FederatedShape shape;

  bool is_server(NodeId node) const {
    return options.coordination == Coordination::server && node == shape.nodes - 1;
  }
  Index width() const {  // n, of W
    if (options.embedding == ClusterEmbedding::nystroem) return options.landmarks;
    const bool fea = options.embedding == ClusterEmbedding::fea;
    return options.random_features + (fea ? embedding_rank(options) : 0);
  }
  Index published() const { return shape.nodes * local_centroid_count(options, shape.nodes, 1'000'000); }
  // What a server keeps for devices that come later: landmarks and maps.
  std::uint64_t told() const {
    const std::uint64_t map = product(width(), embedding_rank(options));
    if (options.embedding == ClusterEmbedding::nystroem) {
      return product(shape.features + width(), width()) + map;
    }
    return options.embedding == ClusterEmbedding::fea
               ? static_cast<std::uint64_t>(options.fea_iterations) * map
               : map;
  }
  // Samples, W and the embedding; at a server, what was published and told, and the matrix it decomposes.
  std::uint64_t held(NodeId node) const {
    const std::uint64_t matrix = product(width(), width());
    if (is_server(node)) return sizeof(double) * (product(shape.features, published()) + told() + 2 * matrix);
    return sizeof(double) *
           (product(shape.features + width() + embedding_rank(options), shape.samples(node)) + matrix);
  }
  // A copy of the samples for k-means, or kernel values; at a server, k-means of what was published.
  std::uint64_t scratch(NodeId node) const {
    if (is_server(node)) return sizeof(double) * product(shape.features + width(), published());
    return sizeof(double) * product(std::max(shape.features, width()), shape.samples(node));
  }
  static std::uint64_t product(Index a, Index b) {
    return static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b);
  }
};

void require_links(const Graph& graph, Coordination coordination) {
  if (coordination != Coordination::server) return;
  const auto server = static_cast<NodeId>(graph.nodes() - 1);
  if (graph.nodes() >= 2 && graph.degree(server) == graph.nodes() - 1) return;
  fail(ErrorCategory::InvalidArgument,
       "the server is the last node, {}, and needs a link to each of {} devices; it has {}: use a star about "
       "it",
       server, graph.nodes() - 1, graph.degree(server));
}

// The number of features of all shards, in whatever process they are: all processes throw, or none.
Index common_features(Engine& engine, const std::vector<Samples>& shards) {
  std::vector<Index> mine;
  for (const Samples& shard : shards) mine.push_back(shard.rows());
  std::set<Index> widths;
  for (const auto& theirs : ProcessGroup(engine, {Kind::facts}).tell_all(Kind::facts, mine)) {
    widths.insert(theirs.begin(), theirs.end());
  }
  if (widths.size() == 1 && *widths.begin() > 0) return *widths.begin();
  fail(ErrorCategory::InvalidArgument, "the shards have {} features; all need the same number, and some",
       fmt::join(widths, " and "));
}

}  // namespace

const FederatedKmeans& FederatedKmeansFit::at(NodeId node) const& { return result_of(nodes, node); }

Contract federated_kmeans_contract(const FederatedShape& shape, const FederatedKmeansOptions& options) {
  const auto planner = std::make_shared<const Planner>(Planner{.options = options, .shape = shape});
  return {.method = "federated-kmeans",
          .kinds = kinds_of(options),
          .links = Links::reliable,
          .memory = [planner](NodeId node) { return planner->held(node); },
          .scratch = [planner](NodeId node) { return planner->scratch(node); }};
}

FederatedKmeansFit fit_federated_kmeans(Engine& engine, const Graph& graph, std::vector<Samples> shards,
                                        const FederatedKmeansOptions& options, const RunOptions& run) {
  const SingleThreadedBlas scope;
  validate(options);
  require_links(graph, options.coordination);
  const NodeRange own = engine.own_nodes(graph.nodes());
  const bool has_server = options.coordination == Coordination::server;
  const auto server = static_cast<NodeId>(has_server ? graph.nodes() - 1 : graph.nodes());
  require_one_each(shards, "shards", own.size() - (own.has(server) ? 1 : 0));

  FederatedKmeansOptions node_options = options;
  node_options.seed = Rng(run.seed, seed_purpose).bits();
  node_options.features = common_features(engine, shards);
  node_options.store = std::make_shared<FeatureStore>();
  std::vector<Index> sizes;
  sizes.reserve(shards.size());
  for (const Samples& shard : shards) sizes.push_back(shard.cols());
  const FederatedShape shape{
      .nodes = graph.nodes(), .features = node_options.features, .samples = [&](NodeId node) {
        return sizes[static_cast<std::size_t>(node - own.first)];
      }};
  const Contract contract = federated_kmeans_contract(shape, node_options);
  auto outcome = run_nodes<FederatedKmeans>(engine, graph, contract, run, [&](Node& node) {
    if (node.id() == server) return federated_kmeans_server(node, node_options);
    Samples shard = std::move(shards[static_cast<std::size_t>(node.id() - own.first)]);
    if (has_server) return federated_kmeans_device(node, std::move(shard), node_options);
    return gossip_kmeans(node, std::move(shard), node_options);
  });
  return {.nodes = std::move(outcome.results), .report = std::move(outcome.report)};
}

}  // namespace choir
