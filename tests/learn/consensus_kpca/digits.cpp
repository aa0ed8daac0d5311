#include "learn/consensus_kpca/digits.h"

#include <map>

#include "paths.h"

#include "choir/data/dataset.h"
#include "choir/graph/topology.h"
#include "choir/linalg/columns.h"

namespace choir::testing_digits {
namespace {

std::map<std::int64_t, std::vector<Index>> by_label(const Dataset& digits) {
  std::map<std::int64_t, std::vector<Index>> places;
  for (Index n = 0; n < digits.size(); ++n) places[digits.labels[static_cast<std::size_t>(n)]].push_back(n);
  return places;
}

}  // namespace

Digits::Digits(Index nodes, Index each, Index labels_a_node, const char* topology)
    : graph(make_topology(topology, nodes, 0)) {
  const std::string file = datasets_folder() + "/digits.npz";
  const Dataset all = read_dataset(file + ":images", {.labels = file + ":labels"});
  auto places = by_label(all);
  const std::vector<std::int64_t> labels = {0, 3, 5, 8};
  for (Index j = 0; j < nodes; ++j) {
    Samples shard(all.features(), each);
    for (Index n = 0; n < each; ++n) {
      auto& left = places[labels[static_cast<std::size_t>((j + n % labels_a_node) % 4)]];
      shard.col(n) = all.samples.col(left.back());
      left.pop_back();
    }
    shards.push_back(std::move(shard));
  }
}

Samples Digits::pooled() const { return side_by_side(shards); }

central_kpca::Fit Digits::central(Index components, bool centre) const {
  central_kpca::Options options;
  options.kernel.gamma = 2e-7;
  options.n_components.count = components;
  options.centre = centre;
  return fit_central_kpca(pooled(), options);
}

consensus_kpca::Options fixed_length(Index components, Index iterations) {
  consensus_kpca::Options options;
  options.gamma = {.rule = GammaRule::number, .value = 2e-7};
  options.n_components.count = components;
  options.share = consensus_kpca::Share::samples;
  options.tol = 0;
  options.max_iter = iterations;
  return options;
}

consensus_kpca::Fit fit(const Digits& digits, const consensus_kpca::Options& options, const RunOptions& run,
                        int threads, const consensus_kpca::Study& study) {
  const auto engine = make_engine("local", {.threads = threads});
  return fit_consensus_kpca(*engine, digits.graph, digits.shards, options, run, study);
}

Vector mean_of(const Matrix& by_node) { return by_node.colwise().mean(); }

}  // namespace choir::testing_digits
