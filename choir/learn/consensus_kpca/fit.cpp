#include <algorithm>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

#include "choir/base/error.h"
#include "choir/graph/diameter.h"
#include "choir/learn/consensus_kpca/consensus_kpca.h"
#include "choir/learn/consensus_kpca/facts.h"
#include "choir/learn/consensus_kpca/neighborhood_kernel.h"
#include "choir/learn/consensus_kpca/private_options.h"
#include "choir/learn/features/centroids.h"
#include "choir/learn/features/feature_store.h"
#include "choir/learn/features/landmarks.h"
#include "choir/learn/fit_nodes.h"

namespace choir::consensus_kpca {
namespace {

constexpr std::uint64_t number = sizeof(double);
constexpr double diameter_steps = 1e7;  // some tens of milliseconds; an upper bound serves as well

std::uint64_t product(Index a, Index b) {
  return static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b);
}

KindSet kinds_of(const Options& options) {
  if (options.privacy.wanted()) return {Kind::masked, Kind::totals, Kind::control};
  switch (options.share) {
    case Share::random_features:
      return {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control};
    case Share::landmarks:
      return {kind_of_centroids(options.min_count), Kind::own_statistics, Kind::masked, Kind::totals,
              Kind::control};
    case Share::samples:
      break;
  }
  if (options.centering != Centering::landmark) {
    return {Kind::raw_samples, Kind::coefficients, Kind::own_statistics,
            Kind::masked,      Kind::totals,       Kind::control};
  }
  return {Kind::raw_samples,    kind_of_centroids(options.min_count),
          Kind::features,       Kind::coefficients,
          Kind::own_statistics, Kind::masked,
          Kind::totals,         Kind::control};
}

// Bytes a node holds, by what it holds them for.
class Planner {
 public:
  Planner(const Shape& shape, const Options& options)
      : graph_(shape.graph),
        own_(shape.own),
        features_(shape.features),
        samples_(shape.samples),
        options_(options),
        columns_(most_columns(options)) {}

  // The node's own samples are in memory before the run begins, and neighbours in the same process share
  // theirs; from other processes a copy comes.
  std::uint64_t samples(NodeId node) const {
    if (options_.share != Share::samples) return 0;
    Index count = options_.exchange_noise > 0 ? samples_(node) : 0;
    for (const NodeId other : graph_.neighbors(node)) {
      if (!own_.has(other)) count += samples_(other);
    }
    return number * product(count, features_);
  }

  std::uint64_t held(NodeId node) const {
    const Index n = samples_(node);
    // The packed sums a node waits with, what its children sent, and what it adds up.
    if (options_.share != Share::samples) return number * (product(n, n) + moments() + moments() / 2);
    const Index members = graph_.degree(node) + 1;
    const Index around = neighborhood(node);
    const std::uint64_t basis = product(n, n);
    // p, h, b, b_old; c and y; what is on its way to the neighbours and from them
    const std::uint64_t iterates =
        product(n, columns_) * static_cast<std::uint64_t>(2 * members + 2) + product(around, columns_) * 6;
    return samples(node) + NeighborhoodKernel::bytes_needed(sizes(node), options_.precision) +
           number * (basis + iterates + landmarks());
  }

  // The neighbourhood's samples side by side, their kernel matrix, the start's eigensolver, features.
  std::uint64_t scratch(NodeId node) const {
    const Index n = samples_(node);
    if (options_.share != Share::samples) {
      const std::uint64_t drawn = product(features_, feature_count()) + spread();
      return number * (product(feature_count(), n) * 2 + 4 * moments() + drawn);
    }
    const Index around = neighborhood(node);
    return number * (product(around, 20 * columns_) + product(n, 3 * n) + 4 * landmarks() +
                     product(n, 2 * landmark_count()));
  }

 private:
  std::vector<Index> sizes(NodeId node) const {
    std::vector<Index> sizes = {samples_(node)};
    for (const NodeId other : graph_.neighbors(node)) sizes.push_back(samples_(other));
    return sizes;
  }
  Index neighborhood(NodeId node) const {
    const std::vector<Index> all = sizes(node);
    return std::accumulate(all.begin(), all.end(), Index{0});
  }
  Index landmark_count() const {
    return options_.public_points ? options_.public_points->columns() : options_.n_landmarks;
  }
  Index feature_count() const {
    return options_.share == Share::landmarks ? landmark_count() : options_.n_features;
  }
  // Their whitening, which a node keeps, and sums of their features.
  std::uint64_t landmarks() const {
    return options_.centering == Centering::landmark ? product(landmark_count(), landmark_count()) : 0;
  }
  // Of the samples themselves, where landmarks are drawn from it.
  std::uint64_t spread() const {
    const bool summed = options_.privacy.wanted() && private_features_wanted(options_).finds_landmarks();
    return summed ? 4 * product(features_, features_) : 0;
  }
  std::uint64_t moments() const { return product(feature_count(), feature_count()); }

  const Graph& graph_;
  NodeRange own_;
  Index features_;
  std::function<Index(NodeId)> samples_;
  Options options_;
  Index columns_;
};

// Nodes report from many threads; the caller hears from one at a time, and of set-up how many are done.
Watch serialised(const Watch& watch, Index nodes) {
  struct State {
    std::mutex reporting;
    Index ready = 0;
  };
  if (!watch.progress) return watch;
  return {.progress =
              [watch, nodes, state = std::make_shared<State>()](const Progress& progress) {
                const std::lock_guard lock(state->reporting);
                const bool counts = progress.total == 0;
                if (counts) ++state->ready;
                watch.progress(counts
                                   ? Progress{.stage = progress.stage, .done = state->ready, .total = nodes}
                                   : progress);
              },
          .stop = watch.stop};
}

// Sizes of shards in other processes are not known here; they are taken for as large as the largest one here.
std::function<Index(NodeId)> sizes_of(const Shards& shards, const NodeRange& own) {
  std::vector<Index> sizes;
  for (const Shard& shard : shards) sizes.push_back(shard.cols());
  const Index largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
  return [sizes, own, largest](NodeId node) {
    return own.has(node) ? sizes[static_cast<std::size_t>(node - own.first)] : largest;
  };
}

}  // namespace

Contract contract(const Shape& shape, const Options& options) {
  const auto planner = std::make_shared<const Planner>(shape, options);
  return {.method = "consensus-kpca",
          .kinds = kinds_of(options),
          .links = Links::reliable,
          .memory = [planner](NodeId node) { return planner->held(node); },
          .scratch = [planner](NodeId node) { return planner->scratch(node); }};
}

}  // namespace choir::consensus_kpca

namespace choir {

consensus_kpca::Fit fit_consensus_kpca(Engine& engine, const Graph& graph, Shards shards,
                                       const consensus_kpca::Options& options, const RunOptions& run,
                                       const consensus_kpca::Study& study) {
  using namespace consensus_kpca;
  validate(options);
  const NodeRange own = nodes_with(shards, "shards", engine, graph);
  const Circumstances circumstances{.diameter = diameter(graph, {.max_steps = diameter_steps}).upper,
                                    .store = std::make_shared<FeatureStore>(),
                                    .study = study};
  RunOptions watched = run;
  watched.watch = serialised(run.watch, own.size());
  const Contract kept = contract({.graph = graph,
                                  .own = own,
                                  .features = shards.size() == 0 ? 0 : shards[0].rows(),
                                  .samples = sizes_of(shards, own)},
                                 options);
  return fit_nodes<NodeResult>(engine, graph, kept, watched, [&](Node& node) {
    return node_program(node, shards.take(node.id() - own.first), options, circumstances);
  });
}

}  // namespace choir
