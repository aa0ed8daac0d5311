#include <algorithm>
#include <string>
#include <utility>

#include "choir/base/error.h"
#include "choir/learn/features/centroids.h"
#include "choir/learn/fit_nodes.h"
#include "choir/learn/online_kernel/feature_program.h"
#include "choir/learn/online_kernel/meeting.h"
#include "choir/learn/online_kernel/online_kernel.h"
#include "choir/learn/online_kernel/private_options.h"
#include "choir/learn/online_kernel/private_program.h"
#include "choir/learn/online_kernel/quick.h"
#include "choir/learn/online_kernel/rounds.h"

namespace choir::online_kernel {
namespace {

KindSet kinds_of(Consensus consensus) {
  switch (consensus) {
    case Consensus::diffusion:
      return {Kind::raw_samples, Kind::own_statistics, Kind::masked, Kind::totals, Kind::control};
    case Consensus::symmetric:
    case Consensus::penalty:
      return {Kind::raw_samples, Kind::coefficients, Kind::own_statistics,
              Kind::masked,      Kind::totals,       Kind::control};
    case Consensus::none:
      break;
  }
  return {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control};
}

// Bytes of a node, from the largest dictionaries that the options allow.
struct Planner {
  Options options;
  Index features = 0;

  // Atoms and weights.
  std::uint64_t function(Index atoms) const { return product(atoms, features + outputs_of(options)); }
  // The function with its kernel matrix and the inverse, the message that was made of it, and what the
  // neighbours sent.
  std::uint64_t held(Index neighbors) const {
    const Index heard = options.consensus == Consensus::diffusion ? neighbors : 0;
    return sizeof(double) * ((2 + static_cast<std::uint64_t>(heard)) * function(options.max_atoms) +
                             2 * product(options.max_atoms, options.max_atoms));
  }
  // Atoms before compression.
  Index candidates(Index neighbors) const {
    const Index batch = options.batch;
    if (options.consensus == Consensus::symmetric) return options.max_atoms + (neighbors + 1) * batch;
    const bool mixes = options.consensus == Consensus::diffusion;
    return options.max_atoms * (mixes ? std::min(neighbors + 1, most_while_mixing + 1) : 1) + batch;
  }
  // What came from the neighbours, the candidates, and four matrices of their size: their kernel matrix, the
  // inverse, and a copy of each while they change.
  std::uint64_t scratch(Index neighbors) const {
    const Index most = candidates(neighbors);
    const bool mixes = options.consensus == Consensus::diffusion;
    const std::uint64_t received = function(neighbors * (mixes ? options.max_atoms : options.batch));
    return sizeof(double) * (received + function(most) + 4 * product(most, most));
  }
  static std::uint64_t product(Index a, Index b) {
    return static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b);
  }
};

KernelMachine dictionary_machine(const NodeResult& fit) {
  KernelMachine machine;
  machine.points = fit.state.f.atoms;
  machine.weights = fit.state.f.weights * fit.state.target.scale;  // 1 for classes
  if (!is_classification(fit.loss)) machine.intercept = Vector::Constant(1, fit.state.target.centre);
  return machine;
}

// Sums of products for two blocks, at the root for the memories, too; while they are packed or decomposed,
// some more. All of it twice, for new features beside the old ones, and once for the leading features.
struct FeaturePlanner {
  Index features = 0;  // m
  Index outputs = 0;
  Index sample_features = 0;
  Index recent_samples = 0;
  Index memories = 0;

  std::uint64_t sums(Index size) const {
    const auto m = static_cast<std::uint64_t>(size);
    return sizeof(double) * m * (m + static_cast<std::uint64_t>(outputs) + 1);
  }
  // The landmarks or frequencies and the latest samples as well.
  std::uint64_t held(NodeId node) const {
    const Index kept = 2 + (node == 0 ? memories : 0);
    const auto m = static_cast<std::uint64_t>(features);
    return 2 * (static_cast<std::uint64_t>(kept) * sums(features) +
                sizeof(double) * m * static_cast<std::uint64_t>(features + sample_features)) +
           static_cast<std::uint64_t>(kept) * sums(quick_size(features)) +
           sizeof(double) * static_cast<std::uint64_t>(recent_samples * sample_features);
  }
  std::uint64_t scratch() const { return 4 * sums(features); }
};

Contract feature_contract(const Shape& shape, const Options& options) {
  const bool by_landmarks = representation_of(options) == Representation::landmarks;
  const Index features = by_landmarks ? options.n_landmarks : options.n_features;
  const FeaturePlanner plan{.features = features,
                            .outputs = outputs_of(options),
                            .sample_features = shape.features,
                            .recent_samples = samples_to_keep(options, shape.graph.nodes()),
                            .memories = half_lives_to_try(options.half_life, features).size()};
  KindSet kinds = {Kind::own_statistics, Kind::masked, Kind::totals, Kind::control};
  if (by_landmarks)
    kinds = {kind_of_centroids(options.min_count), Kind::own_statistics, Kind::masked, Kind::totals,
             Kind::control};
  if (options.privacy.wanted()) kinds = {Kind::masked, Kind::totals, Kind::control};
  return {.method = "online-kernel",
          .kinds = kinds,
          .links = Links::reliable,
          .memory = [plan](NodeId node) { return plan.held(node); },
          .scratch = [plan](NodeId) { return plan.scratch(); }};
}

}  // namespace

Contract contract(const Shape& shape, const Options& options) {
  if (uses_features(options)) return feature_contract(shape, options);
  const Planner plan{.options = options, .features = shape.features};
  std::vector<Index> degrees;
  for (NodeId node = 0; node < shape.graph.nodes(); ++node) degrees.push_back(shape.graph.degree(node));
  return {
      .method = "online-kernel",
      .kinds = kinds_of(options.consensus),
      .links = Links::reliable,
      .memory = [plan, degrees](NodeId node) { return plan.held(degrees[static_cast<std::size_t>(node)]); },
      .scratch = [plan,
                  degrees](NodeId node) { return plan.scratch(degrees[static_cast<std::size_t>(node)]); }};
}

KernelMachine machine_of(const NodeResult& fit) {
  KernelMachine machine = fit.state.features ? feature_machine(fit) : dictionary_machine(fit);
  machine.kernel = fit.state.kernel;
  machine.preprocessing = fit.state.preprocessing;
  machine.loss = std::string(to_string(fit.loss));
  machine.classes = fit.classes;
  machine.training_samples = fit.state.samples;
  return machine;
}

}  // namespace choir::online_kernel

namespace choir {

online_kernel::Fit fit_online_kernel(Engine& engine, const Graph& graph,
                                     std::vector<std::unique_ptr<SampleStream>> streams,
                                     const online_kernel::Options& options, const RunOptions& run,
                                     const online_kernel::Hooks& hooks) {
  using namespace online_kernel;
  validate(options);
  if (options.privacy.wanted()) require_private(run, hooks);
  const NodeRange own = nodes_with(streams, "streams", engine, graph);
  const Index features = streams.empty() ? 0 : streams.front()->features();
  const Contract kept = contract({.graph = graph, .features = features}, options);
  const auto store = std::make_shared<FeatureStore>();
  return fit_nodes<NodeResult>(engine, graph, kept, run, [&](Node& node) {
    const auto index = static_cast<std::size_t>(node.id() - own.first);
    if (options.privacy.wanted()) return private_program(node, *streams[index], options, hooks, store);
    return uses_features(options) ? feature_program(node, *streams[index], options, hooks, store)
                                  : node_program(node, *streams[index], options, hooks);
  });
}

}  // namespace choir
