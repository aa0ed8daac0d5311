#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "choir/base/error.h"
#include "choir/base/text.h"
#include "choir/graph/spectrum.h"
#include "choir/graph/traversal.h"
#include "choir/learn/features/centroids.h"
#include "choir/learn/fit_nodes.h"
#include "choir/learn/gossip_pca/estimate.h"
#include "choir/learn/gossip_pca/gossip_pca.h"
#include "choir/learn/gossip_pca/refinement.h"
#include "choir/runtime/process_group.h"

namespace choir::gossip_pca {
namespace {

constexpr Purpose feature_purpose("gossip-pca-features");

// How fast news spread: the spectral gap of averaging with all neighbours. Where nobody computes it (networks
// that are very large or very long), what it is in a line of that length.
double mixing_of(const Graph& graph) {
  if (graph.nodes() == 1) return 1;
  constexpr Index largest_dense_network = 400;
  const SpectralSummary spectrum = spectral_summary(graph, {.max_dense = largest_dense_network});
  if (spectrum.spectral_gap) return *spectrum.spectral_gap;
  BreadthFirstSearch search(graph);
  search.run(0);
  const double hops = search.eccentricity() + 1;
  return 1 / (hops * hops);
}

// A message of a node with a single sample is that sample: it is declared where there is such a node.
KindSet kinds_of(const Options& options, bool has_lonely_sample) {
  if (options.privacy.wanted()) return {Kind::masked, Kind::totals, Kind::control};
  const bool raw_landmarks =
      options.features == FeatureKind::landmarks && kind_of_centroids(options.min_count) == Kind::raw_samples;
  const bool landmarks = options.features == FeatureKind::landmarks;
  if (has_lonely_sample || raw_landmarks) {
    if (landmarks)
      return {Kind::raw_samples, Kind::centroids, Kind::own_statistics,
              Kind::masked,      Kind::totals,    Kind::control};
    return {Kind::raw_samples, Kind::own_statistics, Kind::masked, Kind::totals, Kind::control};
  }
  if (landmarks) return {Kind::centroids, Kind::own_statistics, Kind::masked, Kind::totals, Kind::control};
  return {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control};
}

// Bytes of a node, by what it holds and what it computes with.
struct Planner {
  Options options;
  Index features = 0;
  std::function<Index(NodeId)> samples;

  Index dimension() const {
    switch (options.features) {
      case FeatureKind::landmarks:
        return options.n_landmarks;
      case FeatureKind::random_features:
        return options.n_features;
      case FeatureKind::none:
        break;
    }
    return features;
  }
  Index width() const {
    if (options.merge == MergeRule::late) return dimension();
    return std::min(carried_directions(options), dimension());
  }
  // The summary, two that are on their way and not yet acknowledged, and the answer.
  std::uint64_t held() const {
    constexpr std::uint64_t summaries = 4;
    return summaries * sizeof(double) * product(dimension(), width() + 1);
  }
  // What the root refines with: the whole covariance and its eigenvectors, or a basis and its images.
  std::uint64_t refining() const {
    if (options.privacy.wanted()) return moments(dimension()) + (private_landmarks() ? moments(features) : 0);
    const RefinementRule rule{.width = std::min(carried_directions(options), dimension()),
                              .appraised = options.features != FeatureKind::none};
    if (rule.sums_whole_scatter(dimension())) return 3 * product(dimension(), dimension());
    return 2 * product(dimension(), RefinementRule::most_steps * rule.width);
  }
  // The prepared and centred samples with the scatter of their smaller side, or the factor of a merge, or
  // what a refinement needs.
  std::uint64_t scratch(NodeId node) const {
    const Index n = samples(node);
    const Index side = std::min(n, dimension());
    const std::uint64_t start = 3 * product(dimension(), n) + 2 * product(side, side);
    const std::uint64_t merging = 4 * product(dimension(), width() + 1);
    return sizeof(double) * std::max({start, merging, refining()});
  }
  bool private_landmarks() const { return options.features == FeatureKind::landmarks; }
  // Their triangle as numbers and as words, the total, and what it is decomposed into.
  static std::uint64_t moments(Index size) { return 3 * product(size, size); }
  static std::uint64_t product(Index a, Index b) {
    return static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b);
  }
};

void require_links(const Graph& graph, Schedule schedule) {
  if (schedule != Schedule::master && schedule != Schedule::fast_master) return;
  if (graph.degree(0) == graph.nodes() - 1) return;
  fail(ErrorCategory::InvalidArgument,
       "schedule {} needs a link from node 0, the master, to every other node; it has {} of {}: use the "
       "topology star",
       to_string(schedule), graph.degree(0), graph.nodes() - 1);
}

Index weight_of(const Shard& shard, Division division) {
  return division == Division::samples ? shard.cols() : shard.rows();
}

// The sizes of all shards: every process knows its own, all must declare the same.
bool any_process_has_one(Engine& engine, const Shards& shards, Division division) {
  const bool here = std::any_of(shards.begin(), shards.end(),
                                [&](const Shard& shard) { return weight_of(shard, division) == 1; });
  const std::vector<bool> everywhere = ProcessGroup(engine, {Kind::facts}).tell_all(Kind::facts, here);
  return std::find(everywhere.begin(), everywhere.end(), true) != everywhere.end();
}

// Where everybody must be heard, losses are the network's affair.
bool waits(const Options& options) { return options.schedule == Schedule::tree || options.privacy.wanted(); }

Contract contract_of(const Planner& plan, bool has_lonely_sample) {
  const auto planner = std::make_shared<const Planner>(plan);
  const Options& options = planner->options;
  return {.method = "gossip-pca",
          .kinds = kinds_of(options, has_lonely_sample),
          .links = waits(options) ? Links::reliable : Links::raw,
          .memory = [planner](NodeId) { return planner->held(); },
          .scratch = [planner](NodeId node) { return planner->scratch(node); }};
}

}  // namespace

Contract contract(const Shape& shape, const Options& options) {
  bool has_lonely_sample = false;
  for (NodeId node = 0; node < shape.graph.nodes(); ++node) {
    has_lonely_sample = has_lonely_sample || shape.samples(node) == 1;
  }
  return contract_of({.options = options, .features = shape.features, .samples = shape.samples},
                     has_lonely_sample);
}

}  // namespace choir::gossip_pca

namespace choir {

gossip_pca::Fit fit_gossip_pca(Engine& engine, const Graph& graph, Shards shards,
                               const gossip_pca::Options& options, const RunOptions& run,
                               std::vector<gossip_pca::SampleFeed> feeds, const gossip_pca::Study& study) {
  using namespace gossip_pca;
  validate(options);
  require_links(graph, options.schedule);
  const NodeRange own = nodes_with(shards, "shards", engine, graph);
  if (feeds.empty()) feeds.resize(static_cast<std::size_t>(shards.size()));
  require_one_each(feeds, "feeds", own.size());
  const bool by_rows = options.partition == Division::coordinates;
  const bool streams = std::any_of(feeds.begin(), feeds.end(), [](const auto& feed) { return bool(feed); });
  if (streams && (options.schedule == Schedule::tree || by_rows)) {
    throw Error(ErrorCategory::InvalidArgument,
                "samples that arrive later can be used only by gossip about whole samples, not with schedule "
                "tree and not where coordinates are spread");
  }
  if (streams) require_streams(options);

  const Circumstances circumstances{.feature_seed = Rng(run.seed, feature_purpose).bits(),
                                    .store = std::make_shared<FeatureStore>(),
                                    .own_kind = {},
                                    .mixing = mixing_of(graph),
                                    .samples_arrive = streams,
                                    .study = study};
  Planner plan{.options = options, .features = 0, .samples = {}};
  if (shards.size() > 0) plan.features = by_rows ? shards[0].cols() : shards[0].rows();
  plan.samples = [&](NodeId node) { return weight_of(shards[node - own.first], options.partition); };
  const Contract kept = contract_of(plan, any_process_has_one(engine, shards, options.partition));
  return fit_nodes<NodeResult>(engine, graph, kept, run, [&](Node& node) {
    const Index index = node.id() - own.first;
    return node_program(node, shards.take(index), std::move(feeds[static_cast<std::size_t>(index)]), options,
                        circumstances);
  });
}

}  // namespace choir
