#include "learn/federated_kmeans/toy.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "paths.h"

#include "choir/base/rng.h"
#include "choir/data/dataset.h"
#include "choir/graph/regular.h"
#include "choir/runtime/engines.h"

namespace choir::testing {

Clusters clusters(Index count, Index clusters, Index features, std::uint64_t seed) {
  Rng rng(seed, Purpose("test clusters"));
  const Matrix centres = Matrix::NullaryExpr(features, clusters, [&] { return 4 * rng.normal(); });
  Clusters data{.samples = Matrix::NullaryExpr(features, count, [&] { return rng.normal(); }), .labels = {}};
  for (Index n = 0; n < count; ++n) {
    const auto label = static_cast<Index>(rng.below(static_cast<std::uint64_t>(clusters)));
    data.samples.col(n) += centres.col(label);
    data.labels.push_back(label);
  }
  return data;
}

std::vector<Samples> dealt(const Samples& samples, Index devices) {
  std::vector<Samples> parts;
  for (Index j = 0; j < devices; ++j) {
    const Index first = j * samples.cols() / devices, last = (j + 1) * samples.cols() / devices;
    parts.push_back(samples.middleCols(first, last - first));
  }
  return parts;
}

Clusters digits(Index count) {
  const std::string file = datasets_folder() + "/digits.npz";
  const Dataset all = read_dataset(file + ":images", {.labels = file + ":labels"});
  return {.samples = all.samples.leftCols(count) / 255,
          .labels = {all.labels.begin(), all.labels.begin() + count}};
}

Clusters sorted_by_label(const Clusters& data) {
  std::vector<Index> order(data.labels.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return data.labels[static_cast<std::size_t>(a)] < data.labels[static_cast<std::size_t>(b)];
  });
  Clusters sorted{.samples = data.samples(Eigen::all, order), .labels = {}};
  for (const Index n : order) sorted.labels.push_back(data.labels[static_cast<std::size_t>(n)]);
  return sorted;
}

GammaSpec fourfold_median(const Samples& samples) {
  return {.rule = GammaRule::number, .value = 4 * gamma_median(samples, 0)};
}

federated_kmeans::Options small_options(federated_kmeans::Embedding embedding) {
  federated_kmeans::Options options;
  options.n_clusters = 5;
  options.embedding = embedding;
  options.gamma = parse_gamma("0.02");
  options.n_landmarks = 30;
  options.n_features = 60;
  options.fea_iterations = 5;
  return options;
}

const Clusters& small_data() {
  static const Clusters data = clusters(600, 5, 8, 3);
  return data;
}

federated_kmeans::Fit simulate(const std::vector<Samples>& shards, const federated_kmeans::Options& options,
                               std::uint64_t seed, const federated_kmeans::Study& study) {
  return fit_federated_kmeans(*make_engine("sim"), shards, options, {.seed = seed}, study);
}

federated_kmeans::Fit simulate_ring(const std::vector<Samples>& shards,
                                    const federated_kmeans::Options& options) {
  return fit_federated_kmeans(*make_engine("sim"), ring_graph(std::ssize(shards), 2), shards, options,
                              {.seed = 1});
}

std::vector<std::int64_t> labels_of(const federated_kmeans::Fit& fit, Index devices) {
  std::vector<std::int64_t> all;
  for (NodeId device = 0; device < devices; ++device) {
    const std::vector<std::int64_t>& own = fit.at(device).labels;
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

}  // namespace choir::testing
