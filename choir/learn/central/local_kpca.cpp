#include "choir/learn/central/local_kpca.h"

#include <algorithm>
#include <utility>

#include "choir/kernel/gram.h"
#include "choir/learn/agreement/agreement.h"
#include "choir/learn/fit_nodes.h"

namespace choir::local_kpca {
namespace {

// The eigensolver's basis and its image: blocks of a few columns more than components.
double columns_of_eigensolver(const ComponentChoice& components) {
  constexpr double blocks = 14;
  constexpr double guard = 4;
  const Index count = components.by_fraction() ? components.max_count : components.count;
  return 2 * blocks * (static_cast<double>(count) + guard);
}

// The shard and its copy in the model.
std::uint64_t bytes_of_samples(Index features, Index samples) {
  return static_cast<std::uint64_t>(2 * 8 * static_cast<double>(samples) * static_cast<double>(features));
}

// The kernel matrix and what the eigensolver holds.
std::uint64_t bytes_of_fit(Index samples, const central_kpca::Options& options) {
  const auto n = static_cast<double>(samples);
  const bool single = options.precision == Precision::float32;
  const double triangle =
      single ? TriangularGram<float>::bytes_needed(samples) : TriangularGram<double>::bytes_needed(samples);
  const double kernel = options.gram == GramStorage::recomputed ? 0 : triangle;
  const double solver = 8 * n * std::min(2 * n, columns_of_eigensolver(options.n_components));
  return static_cast<std::uint64_t>(kernel + solver);
}

}  // namespace

Task<NodeResult> node_program(Node& node, Shard shard, Options options) {
  const Preprocessing preprocessing =
      co_await agreed_preprocessing(node, options.preprocessing, shard.samples());
  shard.preprocess(preprocessing);

  central_kpca::Options kpca = options.kpca;
  const bool asks_for_gamma = uses_gamma(kpca.kernel.kind);
  if (asks_for_gamma) kpca.kernel.gamma = co_await agreed_gamma(node, options.gamma, shard.samples());

  // The other nodes compute at the same time.
  const RunOptions alone{.threads = 1, .watch = {.progress = {}, .stop = node.stop_token()}};
  NodeResult fit = fit_central_kpca(shard.samples(), kpca, alone);
  fit.model.preprocessing = preprocessing;
  if (fit.note.empty() && asks_for_gamma && options.gamma.rule == GammaRule::median) {
    fit.note = median_stand_in_note;
  }
  co_return fit;
}

Contract contract(Index features, const std::function<Index(NodeId)>& samples, const Options& options) {
  return {
      .method = "local-kpca",
      .kinds = {Kind::masked, Kind::totals, Kind::control},
      .links = Links::reliable,
      .memory = [features, samples](NodeId node) { return bytes_of_samples(features, samples(node)); },
      .scratch = [samples, kpca = options.kpca](NodeId node) { return bytes_of_fit(samples(node), kpca); }};
}

}  // namespace choir::local_kpca

namespace choir {

local_kpca::Fit fit_local_kpca(Engine& engine, const Graph& graph, Shards shards,
                               const local_kpca::Options& options, const RunOptions& run) {
  using namespace local_kpca;
  const NodeRange own = nodes_with(shards, "shards", engine, graph);
  std::vector<Index> sizes;
  for (const Shard& shard : shards) sizes.push_back(shard.cols());
  const auto size_of = [sizes, own](NodeId node) {
    return sizes[static_cast<std::size_t>(node - own.first)];
  };
  const Contract kept = contract(shards.size() == 0 ? 0 : shards[0].rows(), size_of, options);
  return fit_nodes<NodeResult>(engine, graph, kept, run, [&](Node& node) {
    return node_program(node, shards.take(node.id() - own.first), options);
  });
}

}  // namespace choir
