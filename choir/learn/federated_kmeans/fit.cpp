#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include <fmt/ranges.h>

#include "choir/base/error.h"
#include "choir/graph/regular.h"
#include "choir/learn/features/feature_store.h"
#include "choir/learn/federated_kmeans/federated_kmeans.h"
#include "choir/learn/fit_nodes.h"
#include "choir/runtime/process_group.h"

namespace choir::federated_kmeans {
namespace {

constexpr Purpose seed_purpose("federated-kmeans");

KindSet kinds_of(const Options& options) {
  if (options.privacy.wanted()) return {Kind::coefficients, Kind::masked, Kind::totals, Kind::control};
  const bool single = options.seeding == Seeding::parallel;
  const bool raw = options.min_count == 1;
  if (single && raw) {
    return {Kind::raw_samples, Kind::features, Kind::coefficients, Kind::own_statistics,
            Kind::masked,      Kind::totals,   Kind::control};
  }
  if (single)
    return {Kind::centroids, Kind::features, Kind::coefficients, Kind::own_statistics,
            Kind::masked,    Kind::totals,   Kind::control};
  if (raw)
    return {Kind::raw_samples, Kind::coefficients, Kind::own_statistics,
            Kind::masked,      Kind::totals,       Kind::control};
  return {Kind::centroids, Kind::coefficients, Kind::own_statistics,
          Kind::masked,    Kind::totals,       Kind::control};
}

// Bytes of a node.
struct Planner {
  Options options;
  Shape shape;

  bool is_server(NodeId node) const {
    return options.coordination == Coordination::server && node == shape.nodes - 1;
  }
  Index width() const {  // n, of W
    if (options.embedding == Embedding::nystroem) return options.n_landmarks;
    const bool fea = options.embedding == Embedding::fea;
    return options.n_features + (fea ? embedding_rank(options) : 0);
  }
  Index published() const { return shape.nodes * local_centroid_count(options, shape.nodes, 1'000'000); }
  // What a server keeps for devices that come later: landmarks and maps.
  std::uint64_t told() const {
    const std::uint64_t map = product(width(), embedding_rank(options));
    if (options.embedding == Embedding::nystroem) {
      return product(shape.features + width(), width()) + map;
    }
    return options.embedding == Embedding::fea ? static_cast<std::uint64_t>(options.fea_iterations) * map
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
       "the server is the last node, {}, and needs a link to each of {} devices; it has {}: use a star "
       "around it",
       server, graph.nodes() - 1, graph.degree(server));
}

// A lost device's share of the noise is lost, too.
void require_all_noise(const Options& options, const RunOptions& run) {
  if (!options.privacy.wanted() || run.lost_peers == LostPeers::fail) return;
  throw Error(
      ErrorCategory::InvalidArgument,
      "--lost-peers continue is not available with --privacy: totals of fewer devices have less noise "
      "than was promised; omit it");
}

// The number of features of all shards, in whatever process they are: all processes throw, or none.
Index common_features(Engine& engine, const Shards& shards) {
  std::vector<Index> mine;
  for (const Shard& shard : shards) mine.push_back(shard.rows());
  std::set<Index> widths;
  for (const auto& theirs : ProcessGroup(engine, {Kind::facts}).tell_all(Kind::facts, mine)) {
    widths.insert(theirs.begin(), theirs.end());
  }
  if (widths.size() == 1 && *widths.begin() > 0) return *widths.begin();
  fail(ErrorCategory::InvalidArgument, "the shards have {} features; all need the same number, at least 1",
       fmt::join(widths, " and "));
}

}  // namespace

Contract contract(const Shape& shape, const Options& options) {
  const auto planner = std::make_shared<const Planner>(Planner{.options = options, .shape = shape});
  return {.method = "federated-kmeans",
          .kinds = kinds_of(options),
          .links = Links::reliable,
          .memory = [planner](NodeId node) { return planner->held(node); },
          .scratch = [planner](NodeId node) { return planner->scratch(node); }};
}

ModelFile file_of(const NodeResult& fit) { return file_with(fit.node, "shared", fit.model); }

Graph star(Index devices) { return star_graph(devices + 1, static_cast<NodeId>(devices)); }

}  // namespace choir::federated_kmeans

namespace choir {

federated_kmeans::Fit fit_federated_kmeans(Engine& engine, Shards shards,
                                           const federated_kmeans::Options& options, const RunOptions& run,
                                           const federated_kmeans::Study& study) {
  if (options.coordination != federated_kmeans::Coordination::server) {
    throw Error(ErrorCategory::InvalidArgument,
                "without a server the devices need a network to gossip over; give a graph");
  }
  const Graph graph = federated_kmeans::star(shards.size());
  return fit_federated_kmeans(engine, graph, std::move(shards), options, run, study);
}

federated_kmeans::Fit fit_federated_kmeans(Engine& engine, const Graph& graph, Shards shards,
                                           const federated_kmeans::Options& options, const RunOptions& run,
                                           const federated_kmeans::Study& study) {
  using namespace federated_kmeans;
  validate(options);
  require_all_noise(options, run);
  require_links(graph, options.coordination);
  const NodeRange own = engine.own_nodes(graph.nodes());
  const bool has_server = options.coordination == Coordination::server;
  const auto server = static_cast<NodeId>(has_server ? graph.nodes() - 1 : graph.nodes());
  require_one_each(shards, "shards", own.size() - (own.has(server) ? 1 : 0));

  const Circumstances circumstances{.seed = Rng(run.seed, seed_purpose).bits(),
                                    .features = common_features(engine, shards),
                                    .store = std::make_shared<FeatureStore>(),
                                    .study = study};
  std::vector<Index> sizes;
  for (const Shard& shard : shards) sizes.push_back(shard.cols());
  const Shape shape{.nodes = graph.nodes(), .features = circumstances.features, .samples = [&](NodeId node) {
                      return sizes[static_cast<std::size_t>(node - own.first)];
                    }};
  return fit_nodes<NodeResult>(engine, graph, contract(shape, options), run, [&](Node& node) {
    if (node.id() == server) return server_program(node, options, circumstances);
    Shard shard = shards.take(node.id() - own.first);
    if (has_server) return device_program(node, std::move(shard), options, circumstances);
    return gossip_program(node, std::move(shard), options, circumstances);
  });
}

}  // namespace choir
